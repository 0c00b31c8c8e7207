// expect: ^GuardedTooLow.cover: API 33, without a guard: android.app.Activity setRecentsScreenshotEnabled\(boolean\): void
import android.app.Activity;
import android.os.Build;

final class GuardedTooLow {
    static void cover(Activity activity) {
        if (Build.VERSION.SDK_INT >= 31) activity.setRecentsScreenshotEnabled(false);
    }
}
