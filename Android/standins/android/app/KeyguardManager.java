package android.app;

import org.thumbturn.standin.Phone;

public class KeyguardManager {
    /** [doc] Whether the phone asks for PIN, pattern or password before it opens; never without a secure lock screen. */
    public boolean isDeviceLocked() {
        Phone.call("isDeviceLocked");
        return Phone.isLocked && Phone.rootSid != 0;
    }

    /** [doc] Whether the lock screen has a PIN, pattern or password. */
    public boolean isDeviceSecure() {
        return Phone.rootSid != 0;
    }
}
