package android.os;

import org.thumbturn.standin.Phone;

public final class SystemClock {
    private SystemClock() {}

    /** [doc] Milliseconds since the boot, sleep included. */
    public static long elapsedRealtime() {
        return Phone.elapsed();
    }
}
