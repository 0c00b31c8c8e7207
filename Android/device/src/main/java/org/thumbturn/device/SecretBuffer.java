package org.thumbturn.device;

import java.nio.ByteBuffer;

/**
 * A secret in memory of the library's own: locked, left out of dumps, wiped at its end.
 *
 * <p>Fill {@link #bytes()} byte by byte, as keys are typed: a {@code String} or {@code byte[]} on the way has copies that
 * nobody wipes. Close it, or give it to {@link ThumbturnVault#send}, once.
 */
public final class SecretBuffer implements AutoCloseable {
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
