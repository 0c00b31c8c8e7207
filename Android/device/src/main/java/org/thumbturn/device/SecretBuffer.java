package org.thumbturn.device;

import java.nio.ByteBuffer;

/**
 * A secret in memory of the library's own: locked, left out of dumps, wiped at its end.
 *
 * <p>Fill {@link #bytes()} byte by byte, as keys are typed: a {@code String} or {@code byte[]} on the way has copies that
 * nobody wipes. Close it, or give it to {@link ThumbturnVault#send}, once.
 */
public final class SecretBuffer implements AutoCloseable {
    /** TT_SECRET_BYTES of thumbturn.h. */
    static final int MOST_BYTES = 4096;

    private long number;

    /**
     * Makes a secret of `count` zeros.
     *
     * @throws IllegalStateException where no memory can be locked, or there are too many.
     */
    public SecretBuffer(int count) {
        long[] made = new long[1];
        int status = Bridge.secretMake(count, made);
        if (status != Bridge.OK) throw new IllegalStateException("thumbturn: " + status);
        number = made[0];
    }

    /**
     * Makes a secret of a text that is there already, and that nobody can wipe; half of a surrogate pair becomes U+FFFD.
     *
     * @throws IllegalStateException as the constructor does, also above 4,096 bytes of UTF-8.
     */
    public static SecretBuffer of(CharSequence text) {
        SecretBuffer secret = new SecretBuffer(byteCount(text));
        ByteBuffer bytes = secret.bytes();
        text.codePoints().forEach(each -> put(each, bytes));
        return secret;
    }

    /** How many bytes of UTF-8 a text has. */
    static int byteCount(CharSequence text) {
        return text.codePoints().map(SecretBuffer::byteCount).sum();
    }

    /** How many bytes of UTF-8 a code point has. */
    static int byteCount(int codePoint) {
        return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
    }

    /** Writes a code point as UTF-8, into no memory but this. */
    static void put(int codePoint, ByteBuffer bytes) {
        boolean isHalf = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
        int code = isHalf ? 0xFFFD : codePoint;
        int count = byteCount(code);
        int lead = count == 1 ? 0 : 0xF00 >> count & 0xFF;
        bytes.put((byte) (lead | code >> 6 * (count - 1)));
        for (int shift = 6 * (count - 2); shift >= 0; shift -= 6) bytes.put((byte) (0x80 | code >> shift & 0x3F));
    }

    /** Lends the memory, until this is closed or given away; never keep it. */
    public synchronized ByteBuffer bytes() {
        ByteBuffer bytes = Bridge.secretBytes(number);
        if (bytes == null) throw new IllegalStateException("thumbturn: the secret was given away");
        return bytes;
    }

    /** Gives the secret away: the number is the caller's to pass on, once. */
    synchronized long take() {
        long taken = number;
        number = 0;
        return taken;
    }

    /** Wipes it; does nothing for one that was given away. */
    @Override
    public void close() {
        long taken = take();
        if (taken != 0) Bridge.secretDrop(taken);
    }
}
