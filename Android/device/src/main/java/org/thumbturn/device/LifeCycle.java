package org.thumbturn.device;

import android.app.Activity;
import android.app.Application;
import android.content.BroadcastReceiver;
import android.content.ComponentCallbacks2;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.res.Configuration;
import android.os.Bundle;

/**
 * Tells the vault what happens to the app and the phone, in the numbers TT_APP_* and TT_DEVICE_* of thumbturn.h, and guards
 * every window of the app.
 *
 * <p>Android reports no enrolment: the vault looks for one at each return, which is {@code ACTIVE}.
 */
final class LifeCycle extends BroadcastReceiver implements Application.ActivityLifecycleCallbacks, ComponentCallbacks2 {
    static final int ACTIVE = 1;
    static final int INACTIVE = 2;
    static final int BACKGROUND = 3;
    static final int LOCKING = 4;
    static final int SUSPENDING = 5;

    /** Takes the events, on the app's main thread. */
    interface Listener {
        void happened(int event);
    }

    private final Application app;
    private final Listener listener;
    private int started;

    LifeCycle(Application app, Listener listener) {
        this.app = app;
        this.listener = listener;
    }

    /** Begins; `current` is the activity that is up already, or null. */
    void start(Activity current) {
        app.registerActivityLifecycleCallbacks(this);
        app.registerComponentCallbacks(this);
        app.registerReceiver(this, new IntentFilter(Intent.ACTION_SCREEN_OFF));
        if (current != null) {
            WindowGuard.guard(current);
            started = 1;
            listener.happened(ACTIVE);
        }
    }

    void stop() {
        app.unregisterActivityLifecycleCallbacks(this);
        app.unregisterComponentCallbacks(this);
        app.unregisterReceiver(this);
    }

    @Override
    public void onActivityCreated(Activity activity, Bundle state) {
        WindowGuard.guard(activity);
    }

    @Override
    public void onActivityStarted(Activity activity) {
        started++;
    }

    @Override
    public void onActivityResumed(Activity activity) {
        // Once more: this one may have been made before the vault was opened.
        WindowGuard.guard(activity);
        WindowGuard.uncover(activity);
        listener.happened(ACTIVE);
    }

    @Override
    public void onActivityPaused(Activity activity) {
        WindowGuard.cover(activity);
        listener.happened(INACTIVE);
    }

    @Override
    public void onActivityStopped(Activity activity) {
        if (started > 0) started--;
        // A rotation stops an activity to make the next: the owner has not left.
        if (started == 0 && !activity.isChangingConfigurations()) listener.happened(BACKGROUND);
    }

    @Override
    public void onActivitySaveInstanceState(Activity activity, Bundle state) {}

    @Override
    public void onActivityDestroyed(Activity activity) {}

    /** The screen went dark; the phone locks now or within the seconds that its owner set. */
    @Override
    public void onReceive(Context context, Intent intent) {
        if (Intent.ACTION_SCREEN_OFF.equals(intent.getAction())) listener.happened(LOCKING);
    }

    /** Among the processes that may be stopped at any time, with their memory as it is: there is no later warning. */
    @Override
    public void onTrimMemory(int level) {
        if (started == 0 && level >= ComponentCallbacks2.TRIM_MEMORY_BACKGROUND) listener.happened(SUSPENDING);
    }

    @Override
    public void onConfigurationChanged(Configuration configuration) {}

    @Override
    public void onLowMemory() {
        onTrimMemory(ComponentCallbacks2.TRIM_MEMORY_COMPLETE);
    }
}
