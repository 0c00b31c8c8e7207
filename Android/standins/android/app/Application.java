package android.app;

import android.content.BroadcastReceiver;
import android.content.ComponentCallbacks;
import android.content.ContentResolver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.PackageManager;
import android.hardware.biometrics.BiometricManager;
import android.os.Bundle;
import android.view.inputmethod.InputMethodManager;
import java.io.File;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.thumbturn.standin.Phone;

public class Application extends Context {
    public interface ActivityLifecycleCallbacks {
        void onActivityCreated(Activity activity, Bundle state);

        void onActivityStarted(Activity activity);

        void onActivityResumed(Activity activity);

        void onActivityPaused(Activity activity);

        void onActivityStopped(Activity activity);

        void onActivitySaveInstanceState(Activity activity, Bundle state);

        void onActivityDestroyed(Activity activity);
    }

    /** For tests: who listens. */
    public final List<ActivityLifecycleCallbacks> callbacks = new CopyOnWriteArrayList<>();
    public final List<ComponentCallbacks> components = new CopyOnWriteArrayList<>();
    public final List<BroadcastReceiver> receivers = new CopyOnWriteArrayList<>();

    public void registerActivityLifecycleCallbacks(ActivityLifecycleCallbacks callbacks) {
        this.callbacks.add(callbacks);
    }

    public void unregisterActivityLifecycleCallbacks(ActivityLifecycleCallbacks callbacks) {
        this.callbacks.remove(callbacks);
    }

    @Override
    public Context getApplicationContext() {
        return this;
    }

    /** [doc] Below the app's folder, in no backup; made by the system. */
    @Override
    public File getNoBackupFilesDir() {
        File folder = new File(Phone.folder(), "data/no_backup");
        folder.mkdirs();
        return folder;
    }

    @Override
    public <T> T getSystemService(Class<T> type) {
        if (type == KeyguardManager.class) return type.cast(new KeyguardManager());
        if (type == BiometricManager.class) return type.cast(new BiometricManager());
        if (type == InputMethodManager.class) return type.cast(new InputMethodManager());
        return null;
    }

    @Override
    public PackageManager getPackageManager() {
        return new PackageManager();
    }

    @Override
    public ContentResolver getContentResolver() {
        return new ContentResolver();
    }

    @Override
    public Executor getMainExecutor() {
        return Phone.mainThread();
    }

    @Override
    public Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter) {
        receivers.add(receiver);
        return null;
    }

    @Override
    public void unregisterReceiver(BroadcastReceiver receiver) {
        receivers.remove(receiver);
    }

    @Override
    public void registerComponentCallbacks(ComponentCallbacks callbacks) {
        components.add(callbacks);
    }

    @Override
    public void unregisterComponentCallbacks(ComponentCallbacks callbacks) {
        components.remove(callbacks);
    }
}
