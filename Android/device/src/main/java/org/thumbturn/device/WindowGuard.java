package org.thumbturn.device;

import android.app.Activity;
import android.graphics.Color;
import android.os.Build;
import android.view.View;
import android.view.ViewGroup;
import android.view.WindowManager;

/** Keeps an activity's window off pictures, other displays and the recents screen (A37). */
public final class WindowGuard {
    private WindowGuard() {}

    /** Guards a window; call it for one that shows a secret or the lock screen and is no activity's own, such as a dialog's. */
    public static void guard(android.view.Window window) {
        window.addFlags(WindowManager.LayoutParams.FLAG_SECURE);
    }

    static void guard(Activity activity) {
        guard(activity.getWindow());
        if (Build.VERSION.SDK_INT >= 33) activity.setRecentsScreenshotEnabled(false);
    }

    /** Covers the window, for the systems that take the picture all the same. */
    static void cover(Activity activity) {
        ViewGroup window = (ViewGroup) activity.getWindow().getDecorView();
        if (window.findViewWithTag(COVER) != null) return;
        View cover = new View(activity);
        cover.setTag(COVER);
        cover.setBackgroundColor(Color.BLACK);
        window.addView(cover, new ViewGroup.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, ViewGroup.LayoutParams.MATCH_PARENT));
    }

    static void uncover(Activity activity) {
        ViewGroup window = (ViewGroup) activity.getWindow().getDecorView();
        View cover = window.findViewWithTag(COVER);
        if (cover != null) window.removeView(cover);
    }

    private static final String COVER = "org.thumbturn.cover";
}
