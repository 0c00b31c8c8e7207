// expect: ^Unlisted: not in api.txt: android.security.keystore.KeyGenParameterSpec\$Builder setUnlockedDeviceRequired\(boolean\)
import android.security.keystore.KeyGenParameterSpec;

final class Unlisted {
    // Such keys end with the screen lock, until Android 14.
    static void build(KeyGenParameterSpec.Builder spec) {
        spec.setUnlockedDeviceRequired(true);
    }
}
