package android.app;

import android.content.BroadcastReceiver;
import android.content.ComponentCallbacks;
import android.content.ContentResolver;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.pm.PackageManager;
import android.os.Build;
import android.os.Bundle;
import android.view.View;
import android.view.Window;
import java.io.File;
import java.util.concurrent.Executor;
import org.thumbturn.standin.Phone;

public class Activity extends Context {
    private final Window window = new Window();
    /** For tests: whether the recents screen may show it. */
    public boolean showsInRecents = true;
    public boolean isChangingConfigurations;

    protected void onCreate(Bundle state) {}

    protected void onDestroy() {}

    public void setContentView(View view) {}

    public Application getApplication() {
        return Phone.app();
    }

    public Window getWindow() {
        return window;
    }

    public void setRecentsScreenshotEnabled(boolean enabled) {
        Build.require(33, "Activity.setRecentsScreenshotEnabled");
        showsInRecents = enabled;
    }

    public boolean isChangingConfigurations() {
        return isChangingConfigurations;
    }

    @Override
    public Context getApplicationContext() {
        return Phone.app();
    }

    @Override
    public File getNoBackupFilesDir() {
        return Phone.app().getNoBackupFilesDir();
    }

    @Override
    public <T> T getSystemService(Class<T> type) {
        return Phone.app().getSystemService(type);
    }

    @Override
    public PackageManager getPackageManager() {
        return Phone.app().getPackageManager();
    }

    @Override
    public ContentResolver getContentResolver() {
        return Phone.app().getContentResolver();
    }

    @Override
    public Executor getMainExecutor() {
        return Phone.app().getMainExecutor();
    }

    @Override
    public Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter) {
        return Phone.app().registerReceiver(receiver, filter);
    }

    @Override
    public void unregisterReceiver(BroadcastReceiver receiver) {
        Phone.app().unregisterReceiver(receiver);
    }

    @Override
    public void registerComponentCallbacks(ComponentCallbacks callbacks) {
        Phone.app().registerComponentCallbacks(callbacks);
    }

    @Override
    public void unregisterComponentCallbacks(ComponentCallbacks callbacks) {
        Phone.app().unregisterComponentCallbacks(callbacks);
    }
}
