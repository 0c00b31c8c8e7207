package android.hardware.biometrics;

import org.thumbturn.standin.Phone;

public class BiometricManager {
    public static final int BIOMETRIC_SUCCESS = 0;
    public static final int BIOMETRIC_ERROR_HW_UNAVAILABLE = 1;
    public static final int BIOMETRIC_ERROR_NONE_ENROLLED = 11;
    public static final int BIOMETRIC_ERROR_NO_HARDWARE = 12;

    public interface Authenticators {
        int BIOMETRIC_STRONG = 0x000F;
        int BIOMETRIC_WEAK = 0x00FF;
        int DEVICE_CREDENTIAL = 1 << 15;
    }

    /**
     * Says what a prompt would find.
     *
     * <p>[aosp PreAuthInfo.java] A sensor of a lower class is as good as none. [aosp Utils.java] A lockout is success.
     */
    public int canAuthenticate(int authenticators) {
        if (authenticators == Authenticators.BIOMETRIC_WEAK && Phone.sensor.equals("weakFace")) {
            return Phone.faces > 0 ? BIOMETRIC_SUCCESS : BIOMETRIC_ERROR_NONE_ENROLLED;
        }
        if (Phone.sensor.equals("none") || Phone.sensor.equals("weakFace")) return BIOMETRIC_ERROR_NO_HARDWARE;
        if (Phone.isSensorBusy) return BIOMETRIC_ERROR_HW_UNAVAILABLE;
        return Phone.sensorID == 0 || Phone.rootSid == 0 ? BIOMETRIC_ERROR_NONE_ENROLLED : BIOMETRIC_SUCCESS;
    }
}
