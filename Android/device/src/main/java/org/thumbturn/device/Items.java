package org.thumbturn.device;

import android.app.KeyguardManager;
import java.util.Arrays;
import javax.crypto.Cipher;

/**
 * The items, device secrets and device keys of this app: keys in the key store, and a box in the app's folder for each item.
 *
 * <p>An item is its box. A key without one was never finished, and a box without a key is a copy from elsewhere: both are
 * absent. All calls run on the device's worker, and say {@code UNAVAILABLE} while the phone is locked (A25).
 */
final class Items {
    private static final String ITEM = "thumbturn/item/";
    private static final String SECRET = "thumbturn/secret/";
    private static final String KEY = "thumbturn/key/";
    /** What RSA-2048 with OAEP and SHA-256 seals. */
    private static final int MAXIMUM_GUARDED = 190;

    private final Keystore keystore;
    private final PrivateFolder folder;
    private final Sensor sensor;
    private final KeyguardManager keyguard;

    Items(Keystore keystore, PrivateFolder folder, Sensor sensor, KeyguardManager keyguard) {
        this.keystore = keystore;
        this.folder = folder;
        this.sensor = sensor;
        this.keyguard = keyguard;
    }

    /** Throws unless the phone is unlocked: locked, nothing is known, and nothing may be lost. */
    void requireUnlocked() throws Refusal {
        boolean isLocked;
        try {
            isLocked = keyguard.isDeviceLocked();
        } catch (RuntimeException failure) {
            throw new Refusal(Refusal.UNAVAILABLE, failure);
        }
        if (isLocked) throw new Refusal(Refusal.UNAVAILABLE);
    }

    /**
     * Stores a new item; never prompts. The key first, then its limits read back, and the box last: the item is there with it.
     *
     * @param secret the caller's own copy, which it wipes.
     */
    void save(String name, Access access, byte[] secret) throws Refusal {
        requireUnlocked();
        requireUnused(name);
        if (access.isGuarded() && secret.length > MAXIMUM_GUARDED) throw new Refusal(Refusal.UNCLASSIFIED);
        sensor.requireSomethingToBindTo(access);
        String alias = ITEM + name;
        try {
            if (access.isGuarded()) makeGuarded(alias, access);
            else keystore.makeUnguarded(alias);
            requireAccess(alias, access);
            Box box = access.isGuarded()
                ? new Box(access, new byte[0], keystore.seal(alias, secret))
                : keystore.seal(alias, name, secret);
            folder.write(PrivateFolder.fileName(name), box.bytes());
        } catch (Refusal refusal) {
            discard(name, alias);
            throw refusal;
        }
    }

    /** Returns the box of an item; it does not say yet whether the item opens. */
    Box box(String name) throws Refusal {
        requireUnlocked();
        byte[] bytes = folder.read(PrivateFolder.fileName(name));
        if (bytes == null) throw new Refusal(Refusal.ABSENT);
        return Box.parse(bytes);
    }

    /** Opens an item of the phone alone. */
    byte[] open(String name, Box box) throws Refusal {
        return keystore.open(ITEM + name, name, box);
    }

    /** Prepares the cipher of a guarded item, which a prompt releases. */
    Cipher cipher(String name) throws Refusal {
        return keystore.guardedCipher(ITEM + name);
    }

    /** Returns what an item may be used with, as the system says it; null for one that is absent or revoked. */
    Access describe(String name) throws Refusal {
        requireUnlocked();
        if (keystore.contains(SECRET + name) || keystore.contains(KEY + name)) return Access.DEVICE_ONLY;
        byte[] bytes = folder.read(PrivateFolder.fileName(name));
        if (bytes == null) return null;
        Box box = Box.parse(bytes);
        if (!keystore.contains(ITEM + name)) return null;
        if (!box.access.isGuarded()) return keystore.access(ITEM + name);
        try {
            keystore.guardedCipher(ITEM + name);
        } catch (Refusal refusal) {
            if (refusal.number == Refusal.REVOKED || refusal.number == Refusal.ABSENT) return null;
            throw new Refusal(Refusal.UNAVAILABLE, refusal);
        }
        return keystore.access(ITEM + name);
    }

    /** Deletes an item, device secret or device key. The key goes first: without it the box opens nothing. */
    void delete(String name) throws Refusal {
        requireUnlocked();
        for (String kind : new String[] {ITEM, SECRET, KEY}) {
            if (keystore.contains(kind + name)) keystore.delete(kind + name);
        }
        folder.delete(PrivateFolder.fileName(name));
    }

    // ---- Device secrets and device keys ----

    void makeSecret(String name) throws Refusal {
        requireUnlocked();
        requireUnused(name);
        make(SECRET + name, () -> keystore.makeSecret(SECRET + name));
    }

    byte[] evaluate(String name, byte[] input) throws Refusal {
        requireUnlocked();
        return keystore.evaluate(SECRET + name, input);
    }

    byte[] makeSigner(String name) throws Refusal {
        requireUnlocked();
        requireUnused(name);
        make(KEY + name, () -> keystore.makeSigner(KEY + name));
        return keystore.publicKey(KEY + name);
    }

    byte[] publicKey(String name) throws Refusal {
        requireUnlocked();
        return keystore.publicKey(KEY + name);
    }

    byte[] sign(String name, byte[] message) throws Refusal {
        requireUnlocked();
        return keystore.sign(KEY + name, message);
    }

    // ---- Parts ----

    private interface Making {
        void run() throws Refusal;
    }

    /** Makes a key that asks for nobody, and leaves none where it came out otherwise. */
    private void make(String alias, Making making) throws Refusal {
        try {
            making.run();
            requireAccess(alias, Access.DEVICE_ONLY);
        } catch (Refusal refusal) {
            forget(alias);
            throw refusal;
        }
    }

    private void makeGuarded(String alias, Access access) throws Refusal {
        try {
            keystore.makeGuarded(alias, access);
        } catch (Refusal refusal) {
            // The last finger may have gone in between. Releases say so by different exceptions, so the sensor is asked.
            sensor.requireSomethingToBindTo(access);
            throw refusal;
        }
    }

    private void requireAccess(String alias, Access access) throws Refusal {
        if (keystore.access(alias) != access) throw new Refusal(Refusal.WEAKER);
    }

    /** A name is used once. A key alone does not take it: that save was stopped before it was one. */
    private void requireUnused(String name) throws Refusal {
        if (keystore.contains(SECRET + name) || keystore.contains(KEY + name)
            || folder.read(PrivateFolder.fileName(name)) != null) {
            throw new Refusal(Refusal.UNCLASSIFIED);
        }
    }

    private void discard(String name, String alias) {
        forget(alias);
        try {
            folder.delete(PrivateFolder.fileName(name));
        } catch (Refusal ignored) {
            // A box without a key opens nothing, and reads as absent.
        }
    }

    private void forget(String alias) {
        try {
            keystore.delete(alias);
        } catch (Refusal ignored) {
            // A key without a box is none of ours, and the next save of the name replaces it.
        }
    }

    /** Wipes a copy that the platform made us take. */
    static void wipe(byte[] bytes) {
        if (bytes != null) Arrays.fill(bytes, (byte) 0);
    }
}
