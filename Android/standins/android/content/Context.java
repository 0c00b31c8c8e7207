package android.content;

import android.content.pm.PackageManager;
import java.io.File;
import java.util.concurrent.Executor;

public abstract class Context {
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
