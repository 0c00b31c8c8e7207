package org.thumbturn.device;

import android.os.Build;
import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyInfo;
import android.security.keystore.KeyProperties;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;

/**
 * The phone's key store, as this app sees it: keys that are made, used and deleted, and never read.
 *
 * <p>Each call asks a daemon and takes 50 to 500 ms in a phone, so all are made on the device's worker. No key has
 * {@code setUnlockedDeviceRequired}: until Android 14 such keys end with the screen lock.
 */
final class Keystore {
    private static final String PROVIDER = "AndroidKeyStore";
    private static final String OAEP = "RSA/ECB/OAEPWithSHA-256AndMGF1Padding";
    private static final String GCM = "AES/GCM/NoPadding";
    private static final int TAG_BITS = 128;

    /** A call of the key store. */
    interface Call<R> {
        R run(KeyStore store) throws GeneralSecurityException, IOException, Refusal;
    }

    /** Whether there is an entry; the only certain evidence that a key is gone. */
    boolean contains(String alias) throws Refusal {
        return with(store -> store.containsAlias(alias));
    }

    List<String> aliases() throws Refusal {
        return with(store -> new ArrayList<>(Collections.list(store.aliases())));
    }

    /** Deletes an entry in any state; does nothing if it is absent. */
    void delete(String alias) throws Refusal {
        with(store -> {
            store.deleteEntry(alias);
            return null;
        });
    }

    // ---- Items ----

    /**
     * Makes the key of a guarded item: RSA, because its public half seals without a prompt, as an AES key of this kind would not.
     *
     * <p>A set of zero seconds is one prompt for each use. With the phone's own PIN in the set, no enrolment ends the key.
     */
    void makeGuarded(String alias, Access access) throws Refusal {
        KeyGenParameterSpec.Builder spec =
            new KeyGenParameterSpec.Builder(alias, KeyProperties.PURPOSE_ENCRYPT | KeyProperties.PURPOSE_DECRYPT)
                .setAlgorithmParameterSpec(new RSAKeyGenParameterSpec(2048, RSAKeyGenParameterSpec.F4))
                .setDigests(KeyProperties.DIGEST_SHA256)
                .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_RSA_OAEP)
                .setUserAuthenticationRequired(true)
                .setUserAuthenticationParameters(0, access.keyAuthenticators)
                .setInvalidatedByBiometricEnrollment(!access.takesPasscode());
        makePair(KeyProperties.KEY_ALGORITHM_RSA, spec.build());
    }

    /** Makes the key of an item of the phone alone. */
    void makeUnguarded(String alias) throws Refusal {
        makeKey(KeyProperties.KEY_ALGORITHM_AES,
            new KeyGenParameterSpec.Builder(alias, KeyProperties.PURPOSE_ENCRYPT | KeyProperties.PURPOSE_DECRYPT)
                .setKeySize(256)
                .setBlockModes(KeyProperties.BLOCK_MODE_GCM)
                .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
                .build());
    }

    /** Seals under the public half, which no prompt guards and no chip is asked for. */
    byte[] seal(String alias, byte[] secret) throws Refusal {
        return with(store -> {
            byte[] encoded = publicKey(store, alias).getEncoded();
            // Made anew, so that it is no key of the key store any more, whose limits it would bring along.
            PublicKey key = KeyFactory.getInstance(KeyProperties.KEY_ALGORITHM_RSA).generatePublic(new X509EncodedKeySpec(encoded));
            Cipher cipher = Cipher.getInstance(OAEP);
            cipher.init(Cipher.ENCRYPT_MODE, key, oaep());
            return cipher.doFinal(secret);
        });
    }

    /** Seals under the key of an item of the phone alone. */
    Box seal(String alias, String name, byte[] secret) throws Refusal {
        return with(store -> {
            Cipher cipher = Cipher.getInstance(GCM);
            cipher.init(Cipher.ENCRYPT_MODE, key(store, alias));
            cipher.updateAAD(Box.header(name, Access.DEVICE_ONLY));
            byte[] ciphertext = cipher.doFinal(secret);
            return new Box(Access.DEVICE_ONLY, cipher.getIV(), ciphertext);
        });
    }

    byte[] open(String alias, String name, Box box) throws Refusal {
        return with(store -> {
            Cipher cipher = Cipher.getInstance(GCM);
            prepare(cipher, key(store, alias), new GCMParameterSpec(TAG_BITS, box.nonce));
            cipher.updateAAD(Box.header(name, box.access));
            return cipher.doFinal(box.ciphertext);
        });
    }

    /**
     * Prepares the cipher that a prompt will release; preparing it is also the look that needs no prompt.
     *
     * @throws Refusal ABSENT without an entry; REVOKED for an entry that no finger opens any more; UNAVAILABLE and
     *     UNCLASSIFIED while nothing is known.
     */
    Cipher guardedCipher(String alias) throws Refusal {
        return with(store -> {
            Cipher cipher = Cipher.getInstance(OAEP);
            prepare(cipher, key(store, alias), oaep());
            return cipher;
        });
    }

    private static void prepare(Cipher cipher, Key key, AlgorithmParameterSpec spec) throws GeneralSecurityException, Refusal {
        try {
            cipher.init(Cipher.DECRYPT_MODE, key, spec);
        } catch (InvalidKeyException failure) {
            throw RefusalTable.ofCipher(failure);
        }
    }

    /** OAEP as the key store has it: its MGF1 digest is SHA-1, where other providers take that of the padding. */
    private static OAEPParameterSpec oaep() {
        return new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA1, PSource.PSpecified.DEFAULT);
    }

    // ---- Device secrets and device keys ----

    /** Makes a key for HMAC-SHA-256 that asks for nobody, so it outlives enrolment and passcode. */
    void makeSecret(String alias) throws Refusal {
        makeKey(KeyProperties.KEY_ALGORITHM_HMAC_SHA256,
            new KeyGenParameterSpec.Builder(alias, KeyProperties.PURPOSE_SIGN).setKeySize(256).build());
    }

    byte[] evaluate(String alias, byte[] input) throws Refusal {
        return with(store -> {
            Mac mac = Mac.getInstance(KeyProperties.KEY_ALGORITHM_HMAC_SHA256);
            mac.init(key(store, alias));
            return mac.doFinal(input);
        });
    }

    void makeSigner(String alias) throws Refusal {
        makePair(KeyProperties.KEY_ALGORITHM_EC,
            new KeyGenParameterSpec.Builder(alias, KeyProperties.PURPOSE_SIGN)
                .setAlgorithmParameterSpec(new ECGenParameterSpec("secp256r1"))
                .setDigests(KeyProperties.DIGEST_SHA256)
                .build());
    }

    byte[] sign(String alias, byte[] message) throws Refusal {
        return with(store -> {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign((PrivateKey) key(store, alias));
            signature.update(message);
            return signature.sign();
        });
    }

    /** Returns SubjectPublicKeyInfo in DER. */
    byte[] publicKey(String alias) throws Refusal {
        return with(store -> publicKey(store, alias).getEncoded());
    }

    // ---- What the system says of a key ----

    /**
     * Reads back what a key may be used with (A32).
     *
     * @throws Refusal WEAKER for a key that none of ours would be.
     */
    Access access(String alias) throws Refusal {
        KeyInfo info = info(alias);
        if (!info.isUserAuthenticationRequired()) return Access.DEVICE_ONLY;
        for (Access access : Access.values()) {
            if (access.isGuarded() && info.getUserAuthenticationType() == access.keyAuthenticators
                && info.getUserAuthenticationValidityDurationSeconds() <= 0
                && (access.takesPasscode() || info.isInvalidatedByBiometricEnrollment())
                && info.isUserAuthenticationRequirementEnforcedBySecureHardware() == isInHardware(info)) {
                return access;
            }
        }
        throw new Refusal(Refusal.WEAKER);
    }

    /** Whether a key lies in the phone's secure hardware, and not in software. */
    boolean isInHardware(String alias) throws Refusal {
        return isInHardware(info(alias));
    }

    @SuppressWarnings("deprecation") // What Android 11 has instead.
    private static boolean isInHardware(KeyInfo info) {
        if (Build.VERSION.SDK_INT < 31) return info.isInsideSecureHardware();
        switch (info.getSecurityLevel()) {
            case KeyProperties.SECURITY_LEVEL_TRUSTED_ENVIRONMENT:
            case KeyProperties.SECURITY_LEVEL_STRONGBOX:
                return true;
            default:
                return false;
        }
    }

    private KeyInfo info(String alias) throws Refusal {
        return with(store -> {
            Key key = key(store, alias);
            if (key instanceof SecretKey) {
                return (KeyInfo) SecretKeyFactory.getInstance(key.getAlgorithm(), PROVIDER).getKeySpec((SecretKey) key, KeyInfo.class);
            }
            return KeyFactory.getInstance(key.getAlgorithm(), PROVIDER).getKeySpec(key, KeyInfo.class);
        });
    }

    // ---- The calls themselves ----

    private void makeKey(String algorithm, KeyGenParameterSpec spec) throws Refusal {
        with(store -> {
            KeyGenerator generator = KeyGenerator.getInstance(algorithm, PROVIDER);
            generator.init(spec);
            return generator.generateKey();
        });
    }

    private void makePair(String algorithm, KeyGenParameterSpec spec) throws Refusal {
        with(store -> {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm, PROVIDER);
            generator.initialize(spec);
            return generator.generateKeyPair();
        });
    }

    /** Returns a key. An entry that ends between two calls is gone, whoever ended it. */
    private static Key key(KeyStore store, String alias) throws GeneralSecurityException, Refusal {
        // First, since what is said of a key that is not found is also said of one that is invalidated, or not to be had now.
        if (!store.containsAlias(alias)) throw new Refusal(Refusal.ABSENT);
        Key key;
        try {
            key = store.getKey(alias, null);
        } catch (java.security.UnrecoverableKeyException failure) {
            // An invalidated key may end here already; without that cause it is a daemon that does not answer.
            if (failure.getCause() instanceof InvalidKeyException) throw RefusalTable.ofCipher((InvalidKeyException) failure.getCause());
            throw failure;
        }
        if (key == null) throw new Refusal(Refusal.UNAVAILABLE);
        return key;
    }

    private static PublicKey publicKey(KeyStore store, String alias) throws GeneralSecurityException, Refusal {
        if (!store.containsAlias(alias)) throw new Refusal(Refusal.ABSENT);
        java.security.cert.Certificate certificate = store.getCertificate(alias);
        if (certificate == null) throw new Refusal(Refusal.UNAVAILABLE);
        return certificate.getPublicKey();
    }

    private static <R> R with(Call<R> call) throws Refusal {
        try {
            KeyStore store = KeyStore.getInstance(PROVIDER);
            store.load(null);
            return call.run(store);
        } catch (GeneralSecurityException | IOException | RuntimeException failure) {
            throw RefusalTable.ofKeystore(failure);
        }
    }
}
