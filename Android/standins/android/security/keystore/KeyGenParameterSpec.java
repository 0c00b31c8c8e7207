package android.security.keystore;

import java.security.spec.AlgorithmParameterSpec;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** [doc] What a key is made for. */
public final class KeyGenParameterSpec implements AlgorithmParameterSpec {
    public String alias;
    public int purposes;
    public int keySize = -1;
    public AlgorithmParameterSpec algorithm;
    public List<String> digests = Collections.emptyList();
    public List<String> paddings = Collections.emptyList();
    public List<String> blockModes = Collections.emptyList();
    public boolean isUserAuthenticationRequired;
    public int timeout;
    public int authenticators = KeyProperties.AUTH_BIOMETRIC_STRONG;
    /** [aosp KeyGenParameterSpec.java] True unless said otherwise. */
    public boolean isInvalidatedByEnrolment = true;
    public boolean isUnlockedDeviceRequired;

    private KeyGenParameterSpec() {}

    public static final class Builder {
        private final KeyGenParameterSpec spec = new KeyGenParameterSpec();

        public Builder(String alias, int purposes) {
            if (alias == null || alias.isEmpty()) throw new IllegalArgumentException("alias");
            spec.alias = alias;
            spec.purposes = purposes;
        }

        public Builder setAlgorithmParameterSpec(AlgorithmParameterSpec algorithm) {
            spec.algorithm = algorithm;
            return this;
        }

        public Builder setKeySize(int bits) {
            spec.keySize = bits;
            return this;
        }

        public Builder setDigests(String... digests) {
            spec.digests = Arrays.asList(digests);
            return this;
        }

        public Builder setEncryptionPaddings(String... paddings) {
            spec.paddings = Arrays.asList(paddings);
            return this;
        }

        public Builder setBlockModes(String... modes) {
            spec.blockModes = Arrays.asList(modes);
            return this;
        }

        public Builder setUserAuthenticationRequired(boolean required) {
            spec.isUserAuthenticationRequired = required;
            return this;
        }

        public Builder setUserAuthenticationParameters(int timeout, int authenticators) {
            if (timeout < 0) throw new IllegalArgumentException("timeout");
            spec.timeout = timeout;
            spec.authenticators = authenticators;
            return this;
        }

        public Builder setInvalidatedByBiometricEnrollment(boolean invalidated) {
            spec.isInvalidatedByEnrolment = invalidated;
            return this;
        }

        public Builder setUnlockedDeviceRequired(boolean required) {
            spec.isUnlockedDeviceRequired = required;
            return this;
        }

        public KeyGenParameterSpec build() {
            return spec;
        }
    }
}
