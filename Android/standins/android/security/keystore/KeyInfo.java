package android.security.keystore;

import android.os.Build;
import java.security.spec.KeySpec;
import org.thumbturn.standin.StoredKey;

/** [doc] What the system says of a key, whoever asked for what. */
public class KeyInfo implements KeySpec {
    private final StoredKey entry;

    public KeyInfo(StoredKey entry) {
        this.entry = entry;
    }

    public boolean isUserAuthenticationRequired() {
        return entry.isGuarded();
    }

    public int getUserAuthenticationType() {
        return entry.authenticators;
    }

    public int getUserAuthenticationValidityDurationSeconds() {
        return entry.timeout;
    }

    /** [aosp AndroidKeyStoreSecretKeyFactorySpi.java] Whether it is bound to sensors, and not to the lock screen. */
    public boolean isInvalidatedByBiometricEnrollment() {
        return entry.isBoundToSensor;
    }

    public boolean isUserAuthenticationRequirementEnforcedBySecureHardware() {
        return entry.isGuarded() && entry.level != KeyProperties.SECURITY_LEVEL_SOFTWARE;
    }

    @Deprecated
    public boolean isInsideSecureHardware() {
        return entry.level != KeyProperties.SECURITY_LEVEL_SOFTWARE;
    }

    public int getSecurityLevel() {
        Build.require(31, "KeyInfo.getSecurityLevel");
        return entry.level;
    }
}
