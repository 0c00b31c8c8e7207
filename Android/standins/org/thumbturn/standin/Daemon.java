package org.thumbturn.standin;

import android.os.Build;
import android.security.KeyStoreException;
import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyPermanentlyInvalidatedException;
import android.security.keystore.UserNotAuthenticatedException;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.ProviderException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;

/** The key store's daemon: entries in files, and operations that wait for their owner. */
final class Daemon {
    private Daemon() {}

    /** [aosp operation.rs] About so many operations are held; the oldest is dropped for a new one. */
    private static final int SLOTS = 16;

    private static final Map<Long, Operation> operations = new LinkedHashMap<>();
    private static long lastOperation;

    static final class Operation {
        final long number;
        final StoredKey entry;
        boolean isAuthorised;

        Operation(long number, StoredKey entry) {
            this.number = number;
            this.entry = entry;
        }
    }

    static synchronized boolean contains(String alias) {
        Phone.call("containsAlias");
        return file(alias).exists();
    }

    static synchronized List<String> aliases() {
        Phone.call("aliases");
        List<String> all = new ArrayList<>();
        for (StoredKey entry : entries()) all.add(entry.alias);
        return all;
    }

    static synchronized StoredKey load(String alias) {
        Phone.call("getKey");
        return read(file(alias));
    }

    static synchronized void delete(String alias) {
        Phone.call("deleteEntry");
        file(alias).delete();
    }

    /** [aosp AndroidKeyStoreKeyPairGeneratorSpi.java] What can't be bound to anything is not made. */
    static void requireBindable(StoredKey entry, KeyGenParameterSpec spec) throws InvalidAlgorithmParameterException {
        if (!spec.isUserAuthenticationRequired) {
            // [doc] Up to 34 such keys can't be made without a lock screen.
            if (spec.isUnlockedDeviceRequired && Phone.rootSid == 0 && Build.VERSION.SDK_INT < 35) throw new ProviderException("no lock screen");
            return;
        }
        if (Phone.rootSid != 0 && (entry.sid != 0 || entry.authenticators == 0)) return;
        // [field isaidamier/blogs.biometrics.cryptoBlog#2] Since keystore2 it is another exception.
        if (Build.VERSION.SDK_INT >= 31) throw new ProviderException("At least one biometric must be enrolled");
        throw new InvalidAlgorithmParameterException(new IllegalStateException("At least one biometric must be enrolled"));
    }

    static synchronized StoredKey add(StoredKey entry) {
        Phone.call("generate");
        Phone.write(entry.properties(), file(entry.alias));
        Phone.call("generated");
        return entry;
    }

    /** [aosp KeyStoreCryptoOperationUtils.java] Begins an operation; what stands against it is one of these exceptions. */
    static synchronized Operation begin(StoredKey held, int purpose) throws InvalidKeyException {
        Phone.call("begin");
        // [field privacybydesign/irmamobile#252] A code that no table lists, after an update of the system.
        if (Phone.takes("odd-code")) throw new InvalidKeyException("Keystore operation failed", new KeyStoreException(-33, "odd"));
        if (Phone.takes("not-unlocked")) throw new UserNotAuthenticatedException();
        // [aosp] "Not found" and "invalidated" are the same to who asks.
        if (!file(held.alias).exists()) throw new KeyPermanentlyInvalidatedException();
        StoredKey entry = read(file(held.alias));
        if ((entry.purposes & purpose) == 0) throw new InvalidKeyException("Keystore operation failed", new KeyStoreException(-2, "purpose"));
        if (entry.isUnlockedDeviceRequired && Phone.isLocked) throw new UserNotAuthenticatedException();
        if (entry.isGuarded()) {
            boolean isCurrent = entry.sid == (entry.isBoundToSensor ? Phone.sensorID : Phone.rootSid);
            if (!isCurrent) throw new KeyPermanentlyInvalidatedException();
            // A key for some seconds wants them to have begun.
            if (entry.timeout > 0) throw new UserNotAuthenticatedException();
        }
        while (operations.size() >= SLOTS) operations.remove(operations.keySet().iterator().next());
        Operation operation = new Operation(++lastOperation, entry);
        operation.isAuthorised = !entry.isGuarded();
        operations.put(operation.number, operation);
        return operation;
    }

    /** The owner was recognised: the operation behind a cipher may finish. */
    static synchronized void authorise(Cipher cipher, long[] sids, int type) {
        byte[] number = cipher.getIV(); // How this provider tells the number of its operation.
        Operation operation = number == null || number.length != 8 ? null : operations.get(ByteBuffer.wrap(number).getLong());
        if (operation == null) return;
        boolean isOwner = false;
        for (long sid : sids) isOwner |= sid != 0 && sid == operation.entry.sid;
        // [doc] The passcode opens no key that asks for a finger (A31).
        if (isOwner && (operation.entry.authenticators & type) != 0) operation.isAuthorised = true;
    }

    static synchronized void finish(Operation operation) throws IllegalBlockSizeException {
        Phone.call("finish");
        if (operation == null || operations.remove(operation.number) == null || Phone.takes("pruned")) throw failed(-28);
        if (!operation.isAuthorised) throw failed(-26);
    }

    private static IllegalBlockSizeException failed(int code) {
        IllegalBlockSizeException failure = new IllegalBlockSizeException();
        failure.initCause(new KeyStoreException(code, "code " + code));
        return failure;
    }

    static synchronized void lockScreenRemoved() {
        for (StoredKey entry : entries()) {
            if (entry.isGuarded() || entry.isUnlockedDeviceRequired && Build.VERSION.SDK_INT < 35) file(entry.alias).delete();
        }
    }

    static synchronized void clear() {
        for (StoredKey entry : entries()) file(entry.alias).delete();
    }

    private static List<StoredKey> entries() {
        List<StoredKey> all = new ArrayList<>();
        File[] files = new File(Phone.folder(), "keystore").listFiles();
        if (files != null) for (File each : files) if (!each.getName().endsWith(".new")) all.add(read(each));
        return all;
    }

    private static File file(String alias) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(alias.getBytes(StandardCharsets.UTF_8));
            return new File(Phone.folder(), "keystore/" + new java.math.BigInteger(1, digest).toString(16));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static StoredKey read(File file) {
        if (!file.exists()) return null;
        Properties all = new Properties();
        try (FileInputStream stream = new FileInputStream(file)) {
            all.load(stream);
        } catch (IOException failure) {
            throw new ProviderException(failure);
        }
        return StoredKey.of(all);
    }
}
