package org.thumbturn.device;

import java.util.Arrays;

/**
 * What is kept of an item in the app's folder: nothing that opens it.
 *
 * <p>Format: version (1) · access (0 to 2) · count of the nonce (0 for RSA, 12 for AES-GCM) · nonce · ciphertext.
 */
final class Box {
    private static final byte VERSION = 1;
    private static final int NONCE = 12;

    final Access access;
    final byte[] nonce;
    final byte[] ciphertext;

    Box(Access access, byte[] nonce, byte[] ciphertext) {
        this.access = access;
        this.nonce = nonce;
        this.ciphertext = ciphertext;
    }

    byte[] bytes() {
        byte[] bytes = Arrays.copyOf(new byte[] {VERSION, (byte) access.ordinal(), (byte) nonce.length},
            3 + nonce.length + ciphertext.length);
        System.arraycopy(nonce, 0, bytes, 3, nonce.length);
        System.arraycopy(ciphertext, 0, bytes, 3 + nonce.length, ciphertext.length);
        return bytes;
    }

    /**
     * Reads a stored box.
     *
     * @throws Refusal UNAVAILABLE for a later version, whose item is there for that; DAMAGED for anything else.
     */
    static Box parse(byte[] bytes) throws Refusal {
        if (bytes.length > 0 && bytes[0] > VERSION) throw new Refusal(Refusal.UNAVAILABLE);
        if (bytes.length < 3 || bytes[0] != VERSION || bytes[1] < 0 || bytes[1] >= Access.values().length) throw damaged();
        Access access = Access.values()[bytes[1]];
        int count = access.isGuarded() ? 0 : NONCE;
        if (bytes[2] != count || bytes.length <= 3 + count) throw damaged();
        return new Box(access, Arrays.copyOfRange(bytes, 3, 3 + count), Arrays.copyOfRange(bytes, 3 + count, bytes.length));
    }

    /** Returns what binds an item of the device alone to its name and access. */
    static byte[] header(String name, Access access) {
        return ("thumbturn.v1.android-item" + (char) access.ordinal() + name).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    private static Refusal damaged() {
        return new Refusal(Refusal.DAMAGED);
    }
}
