// expect: ^GuardedElsewhere.cover: API 33, without a guard: android.app.Activity setRecentsScreenshotEnabled\(boolean\): void
import android.app.Activity;
import android.os.Build;

final class GuardedElsewhere {
    // The way past the guard joins the way through it.
    static void cover(Activity activity, boolean always) {
        if (always || Build.VERSION.SDK_INT >= 33) activity.setRecentsScreenshotEnabled(false);
    }

    static void bare(Activity activity) {
        if (Build.VERSION.SDK_INT < 33) return;
        activity.setRecentsScreenshotEnabled(false);
    }
}
