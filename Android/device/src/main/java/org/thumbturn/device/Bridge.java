package org.thumbturn.device;

import java.nio.ByteBuffer;

/**
 * The functions of thumbturn.h, by way of Android/jni/thumbturn_jni.c: each answers one of TT_*.
 *
 * <p>Every buffer is direct: an array would be copied by the collector, and nobody wipes its copies. A heap buffer, or a
 * count beyond a buffer's capacity, is refused there as ARGUMENT.
 */
final class Bridge {
    static final int OK = 0;
    static final int ARGUMENT = 2;
    static final int BUFFER = 8;
    /** The version of thumbturn.h that these calls are written for. */
    static final int VERSION = 1;

    static {
        System.loadLibrary("thumbturn");
    }

    private Bridge() {}

    static native int version();

    /** Opens a vault; `host` gets every callback. The handle goes to `vault[0]`. */
    static native int open(ByteBuffer json, int count, Callbacks host, long[] vault);

    static native int fields(long vault, ByteBuffer buffer, long[] count);

    static native int send(long vault, long ticket, ByteBuffer json, int count, long secret);

    static native int cancel(long vault, long ticket);

    static native int happen(long vault, int event);

    static native int close(long vault);

    static native int answer(long vault, long call, int refusal, int mismatches, ByteBuffer json, int count, long secret);

    static native int secretMake(long count, long[] secret);

    /** Returns the memory of a secret; null for one that is none. It may not be touched after the secret was given away. */
    static native ByteBuffer secretBytes(long secret);

    static native int secretDrop(long secret);

    /**
     * What the library calls, on a thread of its own: return soon.
     *
     * <p>A buffer may be read until the call returns, and never after. What a call throws becomes a refusal.
     */
    interface Callbacks {
        void clock(ByteBuffer reading);

        void ask(long vault, long call, int operation, ByteBuffer json, long secret);

        void changed(ByteBuffer json);

        void answered(long ticket, ByteBuffer json);

        void lent(long ticket, ByteBuffer bytes);

        void closed();
    }
}
