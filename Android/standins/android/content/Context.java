package android.content;

import android.content.pm.PackageManager;
import android.content.res.Resources;
import java.io.File;
import java.util.concurrent.Executor;

public abstract class Context {
    public abstract Context getApplicationContext();

    public Resources getResources() {
        return new Resources();
    }

    public abstract File getNoBackupFilesDir();

    public abstract <T> T getSystemService(Class<T> type);

    public abstract PackageManager getPackageManager();

    public abstract ContentResolver getContentResolver();

    public abstract Executor getMainExecutor();

    public abstract Intent registerReceiver(BroadcastReceiver receiver, IntentFilter filter);

    public abstract void unregisterReceiver(BroadcastReceiver receiver);

    public abstract void registerComponentCallbacks(ComponentCallbacks callbacks);

    public abstract void unregisterComponentCallbacks(ComponentCallbacks callbacks);
}
