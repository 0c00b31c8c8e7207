package android.content.pm;

import org.thumbturn.standin.Phone;

public class PackageManager {
    public static final String FEATURE_FINGERPRINT = "android.hardware.fingerprint";
    public static final String FEATURE_FACE = "android.hardware.biometrics.face";
    public static final String FEATURE_IRIS = "android.hardware.biometrics.iris";

    /** [doc] What the phone was built with, whatever is enrolled. */
    public boolean hasSystemFeature(String name) {
        return name.equals(FEATURE_FINGERPRINT) && Phone.sensor.equals("touch")
            || name.equals(FEATURE_FACE) && (Phone.sensor.equals("face") || Phone.sensor.equals("weakFace"));
    }
}
