package org.thumbturn.standin;

import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyInfo;
import android.security.keystore.KeyProperties;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyFactorySpi;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStoreSpi;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.ProviderException;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.SignatureException;
import java.security.SignatureSpi;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Collections;
import java.util.Date;
import java.util.Enumeration;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.KeyGeneratorSpi;
import javax.crypto.Mac;
import javax.crypto.MacSpi;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactorySpi;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** The provider called AndroidKeyStore: keys without bytes, and operations that the daemon may refuse. */
public final class KeystoreProvider extends Provider {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("deprecation") // --release 8 knows no other constructor.
    public KeystoreProvider() {
        super("AndroidKeyStore", 1.0, "a stand-in");
        put("KeyStore.AndroidKeyStore", Entries.class.getName());
        put("KeyPairGenerator.RSA", Pairs.RSA.class.getName());
        put("KeyPairGenerator.EC", Pairs.EC.class.getName());
        put("KeyGenerator.AES", Keys.AES.class.getName());
        put("KeyGenerator.HmacSHA256", Keys.HMAC.class.getName());
        put("KeyFactory.RSA", Infos.class.getName());
        put("KeyFactory.EC", Infos.class.getName());
        put("SecretKeyFactory.AES", SecretInfos.class.getName());
        put("SecretKeyFactory.HmacSHA256", SecretInfos.class.getName());
        // Chosen for our keys alone: without a provider's name, public keys go to another [aosp AndroidKeyStoreBCWorkaroundProvider].
        useFor("Cipher.RSA/ECB/OAEPWithSHA-256AndMGF1Padding", OAEP.class, HeldPrivate.class);
        useFor("Cipher.AES/GCM/NoPadding", GCM.class, HeldSecret.class);
        useFor("Mac.HmacSHA256", HMAC.class, HeldSecret.class);
        useFor("Signature.SHA256withECDSA", ECDSA.class, HeldPrivate.class);
    }

    private void useFor(String service, Class<?> type, Class<?> key) {
        put(service, type.getName());
        put(service + " SupportedKeyClasses", key.getName());
    }

    // ---- Keys ----

    interface Held {
        StoredKey entry();
    }

    public static final class HeldPrivate implements PrivateKey, Held {
        private static final long serialVersionUID = 1;
        private final transient StoredKey entry;

        HeldPrivate(StoredKey entry) {
            this.entry = entry;
        }

        @Override
        public StoredKey entry() {
            return entry;
        }

        @Override
        public String getAlgorithm() {
            return entry.algorithm;
        }

        @Override
        public String getFormat() {
            return null;
        }

        @Override
        public byte[] getEncoded() {
            return null;
        }
    }

    public static final class HeldSecret implements SecretKey, Held {
        private static final long serialVersionUID = 1;
        private final transient StoredKey entry;

        HeldSecret(StoredKey entry) {
            this.entry = entry;
        }

        @Override
        public StoredKey entry() {
            return entry;
        }

        @Override
        public String getAlgorithm() {
            return entry.algorithm;
        }

        @Override
        public String getFormat() {
            return null;
        }

        @Override
        public byte[] getEncoded() {
            return null;
        }
    }

    private static StoredKey entry(Key key) throws InvalidKeyException {
        if (!(key instanceof Held)) throw new InvalidKeyException("not of this key store");
        return ((Held) key).entry();
    }

    private static PrivateKey privateKey(StoredKey entry) {
        try {
            return KeyFactory.getInstance(entry.algorithm, entry.algorithm.equals("RSA") ? "SunRsaSign" : "SunEC")
                .generatePrivate(new PKCS8EncodedKeySpec(entry.key));
        } catch (GeneralSecurityException failure) {
            throw new ProviderException(failure);
        }
    }

    // ---- The key store ----

    public static final class Entries extends KeyStoreSpi {
        @Override
        public Key engineGetKey(String alias, char[] password) throws UnrecoverableKeyException {
            StoredKey entry = Daemon.load(alias);
            if (entry == null) return null;
            return entry.publicKey.length > 0 ? new HeldPrivate(entry) : new HeldSecret(entry);
        }

        @Override
        public Certificate engineGetCertificate(String alias) {
            StoredKey entry = Daemon.load(alias);
            return entry == null || entry.publicKey.length == 0 ? null : new Shell(entry);
        }

        @Override
        public boolean engineContainsAlias(String alias) {
            return Daemon.contains(alias);
        }

        @Override
        public Enumeration<String> engineAliases() {
            return Collections.enumeration(Daemon.aliases());
        }

        @Override
        public void engineDeleteEntry(String alias) {
            Daemon.delete(alias);
        }

        @Override
        public int engineSize() {
            return Daemon.aliases().size();
        }

        @Override
        public boolean engineIsKeyEntry(String alias) {
            return Daemon.contains(alias);
        }

        @Override
        public boolean engineIsCertificateEntry(String alias) {
            return false;
        }

        @Override
        public void engineLoad(InputStream stream, char[] password) {}

        @Override
        public Certificate[] engineGetCertificateChain(String alias) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Date engineGetCreationDate(String alias) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void engineSetKeyEntry(String alias, Key key, char[] password, Certificate[] chain) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void engineSetKeyEntry(String alias, byte[] key, Certificate[] chain) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void engineSetCertificateEntry(String alias, Certificate certificate) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String engineGetCertificateAlias(Certificate certificate) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void engineStore(OutputStream stream, char[] password) {
            throw new UnsupportedOperationException();
        }
    }

    /** A certificate of which only the key is looked at. */
    private static final class Shell extends Certificate {
        private static final long serialVersionUID = 1;
        private final transient StoredKey entry;

        Shell(StoredKey entry) {
            super("X.509");
            this.entry = entry;
        }

        @Override
        public PublicKey getPublicKey() {
            try {
                return KeyFactory.getInstance(entry.algorithm, entry.algorithm.equals("RSA") ? "SunRsaSign" : "SunEC")
                    .generatePublic(new X509EncodedKeySpec(entry.publicKey));
            } catch (GeneralSecurityException failure) {
                throw new ProviderException(failure);
            }
        }

        @Override
        public byte[] getEncoded() {
            return new byte[0];
        }

        @Override
        public void verify(PublicKey key) {}

        @Override
        public void verify(PublicKey key, String provider) {}

        @Override
        public String toString() {
            return "certificate";
        }
    }

    // ---- Makers ----

    public abstract static class Pairs extends KeyPairGenerator {
        private final String provider;
        private KeyGenParameterSpec spec;

        Pairs(String algorithm, String provider) {
            super(algorithm);
            this.provider = provider;
        }

        public static final class RSA extends Pairs {
            public RSA() {
                super("RSA", "SunRsaSign");
            }
        }

        public static final class EC extends Pairs {
            public EC() {
                super("EC", "SunEC");
            }
        }

        @Override
        public void initialize(int size, SecureRandom random) {
            throw new InvalidParameterException("a KeyGenParameterSpec is wanted");
        }

        @Override
        public void initialize(AlgorithmParameterSpec spec, SecureRandom random) throws InvalidAlgorithmParameterException {
            this.spec = (KeyGenParameterSpec) spec;
            if (this.spec.isUserAuthenticationRequired && Phone.rootSid == 0) {
                throw new InvalidAlgorithmParameterException(new IllegalStateException("Secure lock screen must be enabled"));
            }
        }

        @Override
        public KeyPair generateKeyPair() {
            StoredKey entry = new StoredKey(getAlgorithm(), spec);
            try {
                Daemon.requireBindable(entry, spec);
                KeyPairGenerator generator = KeyPairGenerator.getInstance(getAlgorithm(), provider);
                generator.initialize(spec.algorithm);
                KeyPair pair = Phone.pair(getAlgorithm(), generator);
                entry.key = pair.getPrivate().getEncoded();
                entry.publicKey = pair.getPublic().getEncoded();
                Daemon.add(entry);
                return new KeyPair(pair.getPublic(), new HeldPrivate(entry));
            } catch (GeneralSecurityException failure) {
                throw new ProviderException(failure);
            }
        }
    }

    public abstract static class Keys extends KeyGeneratorSpi {
        private final String algorithm;
        private KeyGenParameterSpec spec;

        Keys(String algorithm) {
            this.algorithm = algorithm;
        }

        public static final class AES extends Keys {
            public AES() {
                super("AES");
            }
        }

        public static final class HMAC extends Keys {
            public HMAC() {
                super("HmacSHA256");
            }
        }

        @Override
        protected void engineInit(SecureRandom random) {
            throw new UnsupportedOperationException("a KeyGenParameterSpec is wanted");
        }

        @Override
        protected void engineInit(int size, SecureRandom random) {
            throw new UnsupportedOperationException("a KeyGenParameterSpec is wanted");
        }

        @Override
        protected void engineInit(AlgorithmParameterSpec spec, SecureRandom random) {
            this.spec = (KeyGenParameterSpec) spec;
        }

        @Override
        protected SecretKey engineGenerateKey() {
            StoredKey entry = new StoredKey(algorithm, spec);
            try {
                Daemon.requireBindable(entry, spec);
            } catch (InvalidAlgorithmParameterException failure) {
                throw new ProviderException(failure);
            }
            entry.key = new byte[spec.keySize / 8];
            new SecureRandom().nextBytes(entry.key);
            return new HeldSecret(Daemon.add(entry));
        }
    }

    public static final class Infos extends KeyFactorySpi {
        @Override
        protected <T extends KeySpec> T engineGetKeySpec(Key key, Class<T> type) throws InvalidKeySpecException {
            Phone.call("getKeySpec");
            return type.cast(new KeyInfo(((Held) key).entry()));
        }

        @Override
        protected PublicKey engineGeneratePublic(KeySpec spec) throws InvalidKeySpecException {
            throw new InvalidKeySpecException();
        }

        @Override
        protected PrivateKey engineGeneratePrivate(KeySpec spec) throws InvalidKeySpecException {
            throw new InvalidKeySpecException();
        }

        @Override
        protected Key engineTranslateKey(Key key) throws InvalidKeyException {
            throw new InvalidKeyException();
        }
    }

    public static final class SecretInfos extends SecretKeyFactorySpi {
        @Override
        protected KeySpec engineGetKeySpec(SecretKey key, Class<?> type) throws InvalidKeySpecException {
            Phone.call("getKeySpec");
            return new KeyInfo(((Held) key).entry());
        }

        @Override
        protected SecretKey engineGenerateSecret(KeySpec spec) throws InvalidKeySpecException {
            throw new InvalidKeySpecException();
        }

        @Override
        protected SecretKey engineTranslateKey(SecretKey key) throws InvalidKeyException {
            throw new InvalidKeyException();
        }
    }

    // ---- Operations ----

    /** What both ciphers share: one operation from init to doFinal. */
    public abstract static class Operating extends CipherSpi {
        Daemon.Operation operation;
        StoredKey entry;
        int mode;
        final ByteArrayOutputStream input = new ByteArrayOutputStream();
        final ByteArrayOutputStream associated = new ByteArrayOutputStream();

        abstract byte[] compute(byte[] input) throws GeneralSecurityException;

        abstract void take(AlgorithmParameterSpec spec) throws InvalidAlgorithmParameterException, InvalidKeyException;

        @Override
        protected void engineInit(int mode, Key key, AlgorithmParameterSpec spec, SecureRandom random)
            throws InvalidKeyException, InvalidAlgorithmParameterException {
            this.mode = mode;
            entry = entry(key);
            take(spec);
            operation = Daemon.begin(entry, mode == Cipher.ENCRYPT_MODE ? KeyProperties.PURPOSE_ENCRYPT : KeyProperties.PURPOSE_DECRYPT);
            input.reset();
            associated.reset();
        }

        @Override
        protected void engineInit(int mode, Key key, SecureRandom random) throws InvalidKeyException {
            try {
                engineInit(mode, key, (AlgorithmParameterSpec) null, random);
            } catch (InvalidAlgorithmParameterException failure) {
                throw new InvalidKeyException(failure);
            }
        }

        @Override
        protected void engineInit(int mode, Key key, AlgorithmParameters parameters, SecureRandom random) throws InvalidKeyException {
            engineInit(mode, key, random);
        }

        @Override
        protected byte[] engineUpdate(byte[] bytes, int offset, int count) {
            input.write(bytes, offset, count);
            return new byte[0];
        }

        @Override
        protected int engineUpdate(byte[] bytes, int offset, int count, byte[] output, int at) {
            input.write(bytes, offset, count);
            return 0;
        }

        @Override
        protected byte[] engineDoFinal(byte[] bytes, int offset, int count) throws IllegalBlockSizeException, BadPaddingException {
            if (bytes != null) input.write(bytes, offset, count);
            Daemon.finish(operation);
            operation = null;
            try {
                return compute(input.toByteArray());
            } catch (BadPaddingException failure) {
                throw failure;
            } catch (GeneralSecurityException failure) {
                throw (IllegalBlockSizeException) new IllegalBlockSizeException().initCause(failure);
            }
        }

        @Override
        protected int engineDoFinal(byte[] bytes, int offset, int count, byte[] output, int at) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected void engineSetMode(String mode) {}

        @Override
        protected void engineSetPadding(String padding) {}

        @Override
        protected int engineGetBlockSize() {
            return 16;
        }

        @Override
        protected int engineGetOutputSize(int count) {
            return count + 512;
        }

        @Override
        protected AlgorithmParameters engineGetParameters() {
            return null;
        }
    }

    public static final class OAEP extends Operating {
        private OAEPParameterSpec spec;

        /** [aosp AndroidKeyStoreRSACipherSpi.java] The main digest has to be the key's; MGF1's is SHA-1, whatever the padding's name says. */
        @Override
        void take(AlgorithmParameterSpec spec) throws InvalidAlgorithmParameterException, InvalidKeyException {
            this.spec = spec == null
                ? new OAEPParameterSpec("SHA-256", "MGF1", java.security.spec.MGF1ParameterSpec.SHA1, javax.crypto.spec.PSource.PSpecified.DEFAULT)
                : (OAEPParameterSpec) spec;
            if (!entry.digests.contains(this.spec.getDigestAlgorithm())) throw new InvalidKeyException("digest");
            String mask = ((java.security.spec.MGF1ParameterSpec) this.spec.getMGFParameters()).getDigestAlgorithm();
            if (!mask.equals("SHA-1")) throw new InvalidAlgorithmParameterException("Unsupported MGF1 digest: " + mask);
            if (!entry.paddings.contains(KeyProperties.ENCRYPTION_PADDING_RSA_OAEP)) throw new InvalidKeyException("padding");
        }

        @Override
        byte[] compute(byte[] input) throws GeneralSecurityException {
            Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding", "SunJCE");
            cipher.init(mode, privateKey(entry), spec);
            return cipher.doFinal(input);
        }

        /** The number of the operation: how the stand-in of the prompt finds what it releases. */
        @Override
        protected byte[] engineGetIV() {
            return operation == null ? null : ByteBuffer.allocate(8).putLong(operation.number).array();
        }
    }

    public static final class GCM extends Operating {
        private byte[] nonce;

        /** [doc] To encrypt, the key store draws the nonce itself. */
        @Override
        void take(AlgorithmParameterSpec spec) throws InvalidAlgorithmParameterException, InvalidKeyException {
            if (!entry.blockModes.contains("GCM")) throw new InvalidKeyException("block mode");
            if (mode == Cipher.ENCRYPT_MODE && spec != null) throw new InvalidAlgorithmParameterException("Caller-provided IV not permitted");
            if (mode == Cipher.DECRYPT_MODE && spec == null) throw new InvalidAlgorithmParameterException("IV required");
            nonce = spec == null ? new byte[12] : ((GCMParameterSpec) spec).getIV();
            if (spec == null) new SecureRandom().nextBytes(nonce);
        }

        @Override
        protected void engineUpdateAAD(byte[] bytes, int offset, int count) {
            associated.write(bytes, offset, count);
        }

        @Override
        byte[] compute(byte[] input) throws GeneralSecurityException {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding", "SunJCE");
            cipher.init(mode, new SecretKeySpec(entry.key, "AES"), new GCMParameterSpec(128, nonce));
            cipher.updateAAD(associated.toByteArray());
            return cipher.doFinal(input);
        }

        @Override
        protected byte[] engineGetIV() {
            return nonce;
        }
    }

    public static final class HMAC extends MacSpi {
        private Mac mac;
        private Daemon.Operation operation;

        @Override
        protected void engineInit(Key key, AlgorithmParameterSpec spec) throws InvalidKeyException {
            operation = Daemon.begin(entry(key), KeyProperties.PURPOSE_SIGN);
            try {
                mac = Mac.getInstance("HmacSHA256", "SunJCE");
            } catch (GeneralSecurityException failure) {
                throw new ProviderException(failure);
            }
            mac.init(new SecretKeySpec(operation.entry.key, "HmacSHA256"));
        }

        @Override
        protected int engineGetMacLength() {
            return 32;
        }

        @Override
        protected void engineUpdate(byte input) {
            mac.update(input);
        }

        @Override
        protected void engineUpdate(byte[] bytes, int offset, int count) {
            mac.update(bytes, offset, count);
        }

        /** [aosp AndroidKeyStoreHmacSpi.java] A failure here is a ProviderException. */
        @Override
        protected byte[] engineDoFinal() {
            try {
                Daemon.finish(operation);
            } catch (IllegalBlockSizeException failure) {
                throw new ProviderException(failure.getCause());
            }
            return mac.doFinal();
        }

        @Override
        protected void engineReset() {}
    }

    public static final class ECDSA extends SignatureSpi {
        private Signature signature;
        private Daemon.Operation operation;

        @Override
        protected void engineInitSign(PrivateKey key) throws InvalidKeyException {
            operation = Daemon.begin(entry(key), KeyProperties.PURPOSE_SIGN);
            try {
                signature = Signature.getInstance("SHA256withECDSA", "SunEC");
            } catch (GeneralSecurityException failure) {
                throw new ProviderException(failure);
            }
            signature.initSign(privateKey(operation.entry));
        }

        @Override
        protected void engineInitVerify(PublicKey key) throws InvalidKeyException {
            throw new InvalidKeyException();
        }

        @Override
        protected void engineUpdate(byte input) throws SignatureException {
            signature.update(input);
        }

        @Override
        protected void engineUpdate(byte[] bytes, int offset, int count) throws SignatureException {
            signature.update(bytes, offset, count);
        }

        @Override
        protected byte[] engineSign() throws SignatureException {
            try {
                Daemon.finish(operation);
            } catch (IllegalBlockSizeException failure) {
                throw new SignatureException(failure.getCause());
            }
            return signature.sign();
        }

        @Override
        protected boolean engineVerify(byte[] bytes) {
            return false;
        }

        @Override
        @Deprecated
        protected void engineSetParameter(String name, Object value) {}

        @Override
        @Deprecated
        protected Object engineGetParameter(String name) {
            return null;
        }
    }
}
