package org.thumbturn.standin;

import android.app.Activity;
import android.app.Application;
import android.app.Application.ActivityLifecycleCallbacks;
import android.content.BroadcastReceiver;
import android.content.ComponentCallbacks;
import android.content.ComponentCallbacks2;
import android.content.Intent;
import android.content.res.Configuration;
import android.hardware.biometrics.BiometricPrompt;
import android.os.Build;
import android.os.Bundle;
import android.os.CancellationSignal;
import android.security.keystore.KeyProperties;
import android.system.ErrnoException;
import android.system.OsConstants;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.Security;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.crypto.Cipher;

/**
 * The phone of this process: its sensor, lock screen, clocks and app, in a folder, so that a process can be killed and
 * another go on. Behaviours stand beside their evidence: [aosp] with file, [doc], [field] with thread, [inf].
 */
public final class Phone {
    private Phone() {}

    private static final SecureRandom RANDOM = new SecureRandom();
    private static File folder;
    private static Application app;
    private static Activity activity;
    private static ExecutorService main;
    private static Thread mainThread;

    // The phone itself.
    public static long rootSid;
    public static long sensorID;
    public static int faces;
    public static String sensor = "touch";
    public static boolean isLocked;
    public static boolean isLockedOut;
    public static boolean isSensorBusy;
    public static boolean isInFront = true;
    public static int bootCount;
    public static String androidID;
    public static int securityLevel;
    static int mismatches;
    private static long elapsedOffset;

    // Its owner, and what goes wrong.
    private static final ArrayDeque<String> touches = new ArrayDeque<>();
    private static final List<String> faults = new ArrayList<>();
    private static ShownPrompt shown;
    private static int prompts;
    public static Cipher hookedCipher;
    /** Told before each call of key store and files, for tests that stop there. */
    public static volatile Runnable everyCall;

    /** Makes a new phone, or goes on with that of the folder, at a level of Android. */
    public static synchronized void start(String path, int level) {
        if (Security.getProvider("AndroidKeyStore") == null) Security.addProvider(new KeystoreProvider());
        Build.VERSION.SDK_INT = level;
        folder = new File(path);
        new File(folder, "keystore").mkdirs();
        touches.clear();
        faults.clear();
        shown = null;
        prompts = 0;
        mismatches = 0;
        hookedCipher = null;
        everyCall = null;
        rootSid = random();
        sensorID = random();
        faces = 1;
        sensor = "touch";
        isLocked = isLockedOut = isSensorBusy = false;
        isInFront = true;
        bootCount = 7;
        androidID = Long.toHexString(random());
        securityLevel = KeyProperties.SECURITY_LEVEL_TRUSTED_ENVIRONMENT;
        elapsedOffset = 100_000 - System.nanoTime() / 1_000_000;
        load();
        store();
        app = new Application();
        if (main == null) {
            main = Executors.newSingleThreadExecutor(work -> {
                mainThread = new Thread(work, "main");
                mainThread.setDaemon(true);
                return mainThread;
            });
        }
    }

    public static File folder() {
        return folder;
    }

    public static Application app() {
        return app;
    }

    public static ExecutorService mainThread() {
        return main;
    }

    /** Makes an activity and brings it to the front, on the main thread. */
    public static Activity launch() {
        Activity made = new Activity();
        onMain(() -> {
            for (ActivityLifecycleCallbacks each : app.callbacks) each.onActivityCreated(made, new Bundle());
            for (ActivityLifecycleCallbacks each : app.callbacks) each.onActivityStarted(made);
            for (ActivityLifecycleCallbacks each : app.callbacks) each.onActivityResumed(made);
        });
        activity = made;
        return made;
    }

    public static synchronized long elapsed() {
        if (takes("clock")) throw new IllegalStateException("clock");
        return System.nanoTime() / 1_000_000 + elapsedOffset;
    }

    public static synchronized int promptsShown() {
        return prompts;
    }

    public static synchronized boolean isPromptUp() {
        return shown != null;
    }

    // ---- Calls ----

    /**
     * A call of a system service.
     *
     * <p>[inf] A phone's key store takes 50 to 500 ms; on the main thread it would stop the app, so here it throws.
     */
    public static void call(String name) {
        if (Thread.currentThread() == mainThread) throw new IllegalStateException(name + " on the main thread");
        Runnable told = everyCall;
        if (told != null) told.run();
        if (takes("slow")) {
            try {
                Thread.sleep(300);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        // [aosp KeyStore2.java] The daemon's backend is busy: BackendBusyException is a ProviderException.
        if (takes("busy:" + name)) throw new ProviderException("busy");
    }

    /** A call of the file system. */
    public static void fileCall(String name) throws ErrnoException {
        Runnable told = everyCall;
        if (told != null) told.run();
        if (takes("disk-full:" + name)) throw new ErrnoException(name, OsConstants.ENOSPC);
        if (takes("broken:" + name)) throw new ErrnoException(name, OsConstants.EIO);
    }

    public static synchronized void fault(String fault) {
        faults.add(fault);
    }

    static synchronized boolean takes(String fault) {
        return faults.remove(fault);
    }

    // ---- Prompts ----

    public static synchronized void show(ShownPrompt prompt, CancellationSignal cancel) {
        // [aosp BiometricService.java] A new prompt takes the place of one that is up.
        if (shown != null) end(BiometricPrompt.BIOMETRIC_ERROR_CANCELED);
        int obstacle = prompt.obstacle();
        if (obstacle != 0) {
            prompt.end(obstacle);
            return;
        }
        prompts++;
        shown = prompt;
        cancel.setOnCancelListener(() -> {
            synchronized (Phone.class) {
                if (shown == prompt) end(BiometricPrompt.BIOMETRIC_ERROR_CANCELED);
            }
        });
        while (shown == prompt && !touches.isEmpty()) {
            String touch = touches.remove();
            if (touch.equals("wait")) return;
            if (!prompt.touch(touch)) shown = null;
        }
    }

    /** A touch of the prompt that is up, otherwise of the next one. */
    public static synchronized void touch(String touch) {
        if (shown == null) touches.add(touch);
        else if (!shown.touch(touch)) shown = null;
    }

    private static void end(int code) {
        ShownPrompt ended = shown;
        shown = null;
        ended.end(code);
    }

    // ---- What happens ----

    /** Something happens to the phone; false for what this phone can't suffer. */
    public static boolean happen(String event) {
        String[] words = event.split(" ");
        switch (words[0]) {
            case "lockDevice":
                synchronized (Phone.class) {
                    isLocked = true;
                    if (shown != null) end(BiometricPrompt.BIOMETRIC_ERROR_CANCELED);
                }
                onMain(() -> {
                    if (activity != null) for (ActivityLifecycleCallbacks each : app.callbacks) each.onActivityPaused(activity);
                    for (BroadcastReceiver each : app.receivers) each.onReceive(app, new Intent(Intent.ACTION_SCREEN_OFF));
                    if (activity != null) for (ActivityLifecycleCallbacks each : app.callbacks) each.onActivityStopped(activity);
                });
                break;
            case "unlockDevice":
                synchronized (Phone.class) {
                    isLocked = false;
                }
                comeBack();
                break;
            case "background":
                synchronized (Phone.class) {
                    isInFront = false;
                    if (shown != null) end(BiometricPrompt.BIOMETRIC_ERROR_CANCELED);
                }
                onMain(() -> {
                    if (activity != null) for (ActivityLifecycleCallbacks each : app.callbacks) each.onActivityPaused(activity);
                    if (activity != null) for (ActivityLifecycleCallbacks each : app.callbacks) each.onActivityStopped(activity);
                });
                break;
            case "foreground":
                synchronized (Phone.class) {
                    isInFront = true;
                }
                comeBack();
                break;
            case "rotate":
                onMain(() -> {
                    activity.isChangingConfigurations = true;
                    for (ActivityLifecycleCallbacks each : app.callbacks) each.onActivityPaused(activity);
                    for (ActivityLifecycleCallbacks each : app.callbacks) each.onActivityStopped(activity);
                    for (ActivityLifecycleCallbacks each : app.callbacks) each.onActivitySaveInstanceState(activity, new Bundle());
                    for (ActivityLifecycleCallbacks each : app.callbacks) each.onActivityDestroyed(activity);
                    for (ComponentCallbacks each : app.components) each.onConfigurationChanged(new Configuration());
                });
                launch();
                break;
            case "lowMemory":
                onMain(() -> {
                    for (ComponentCallbacks each : app.components) each.onLowMemory();
                });
                break;
            case "trim":
                onMain(() -> {
                    for (ComponentCallbacks each : app.components) ((ComponentCallbacks2) each).onTrimMemory(Integer.parseInt(words[1]));
                });
                break;
            default:
                return happenToPhone(words);
        }
        return true;
    }

    private static void comeBack() {
        onMain(() -> {
            if (activity == null) return;
            for (ActivityLifecycleCallbacks each : app.callbacks) each.onActivityStarted(activity);
            for (ActivityLifecycleCallbacks each : app.callbacks) each.onActivityResumed(activity);
        });
    }

    private static synchronized boolean happenToPhone(String[] words) {
        switch (words[0]) {
            case "enroll":
                // [aosp Fingerprint HAL] Each enrolment draws a new id of the set.
                sensorID = random();
                if (rootSid == 0) rootSid = random();
                break;
            case "unenroll":
                sensorID = 0;
                faces = 0;
                break;
            case "passcodeOff":
                // [aosp keystore2 maintenance.rs] What is bound to the lock screen is deleted with it; up to 34 so are the
                // keys that want an unlocked phone [doc]. Fingers and faces go too [doc].
                rootSid = 0;
                sensorID = 0;
                faces = 0;
                isLockedOut = false;
                Daemon.lockScreenRemoved();
                break;
            case "passcodeOn":
                rootSid = random();
                sensorID = random();
                break;
            case "passcode":
                isLockedOut = false;
                mismatches = 0;
                break;
            case "lockout":
                isLockedOut = true;
                break;
            case "sensorBusy":
                isSensorBusy = true;
                break;
            case "sensorFree":
                isSensorBusy = false;
                break;
            case "advance":
            case "sleep":
                elapsedOffset += Long.parseLong(words[1]);
                break;
            case "reboot":
                bootCount++;
                elapsedOffset = 1_000 - System.nanoTime() / 1_000_000;
                isLocked = false;
                break;
            case "sensor":
                sensor = words[1];
                if (sensorID == 0 && !sensor.equals("none")) sensorID = random();
                faces = 1;
                break;
            case "reinstall":
                // [doc] Android removes the app's folder and its keys with it.
                delete(new File(folder, "data"));
                new File(folder, "data/no_backup").mkdirs();
                Daemon.clear();
                break;
            case "restoreElsewhere":
                Daemon.clear();
                rootSid = random();
                sensorID = random();
                androidID = Long.toHexString(random());
                isLocked = isLockedOut = false;
                elapsedOffset = 5_000 - System.nanoTime() / 1_000_000;
                break;
            case "noBootCount":
                bootCount = 0;
                break;
            case "software":
                securityLevel = KeyProperties.SECURITY_LEVEL_SOFTWARE;
                break;
            default:
                return false;
        }
        store();
        return true;
    }

    // ---- Parts ----

    /** A pair of RSA, which takes a tenth of a second, is drawn once for all: for who makes thousands, and compares none. */
    public static boolean reusesPairs;
    private static KeyPair reused;

    static synchronized KeyPair pair(String algorithm, KeyPairGenerator generator) {
        if (!reusesPairs || !algorithm.equals("RSA")) return generator.generateKeyPair();
        if (reused == null) reused = generator.generateKeyPair();
        return reused;
    }

    /** The owner is recognised, by a finger or the passcode: what a prompt does to its cipher, without one. */
    public static void recognise(Cipher cipher) {
        Daemon.authorise(cipher, new long[] {sensorID, rootSid}, 3);
    }

    static void onMain(Runnable work) {
        CountDownLatch done = new CountDownLatch(1);
        Throwable[] thrown = new Throwable[1];
        main.execute(() -> {
            try {
                work.run();
            } catch (Throwable failure) {
                thrown[0] = failure;
            }
            done.countDown();
        });
        try {
            done.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (thrown[0] != null) throw new IllegalStateException(thrown[0]);
    }

    static long random() {
        return RANDOM.nextLong() | 1;
    }

    private static void load() {
        File file = new File(folder, "phone.properties");
        if (!file.exists()) return;
        Properties all = new Properties();
        try (FileInputStream stream = new FileInputStream(file)) {
            all.load(stream);
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
        rootSid = Long.parseLong(all.getProperty("rootSid"));
        sensorID = Long.parseLong(all.getProperty("sensorID"));
        sensor = all.getProperty("sensor");
        bootCount = Integer.parseInt(all.getProperty("bootCount"));
        androidID = all.getProperty("androidID");
        elapsedOffset = Long.parseLong(all.getProperty("elapsedOffset"));
    }

    private static void store() {
        Properties all = new Properties();
        all.setProperty("rootSid", "" + rootSid);
        all.setProperty("sensorID", "" + sensorID);
        all.setProperty("sensor", sensor);
        all.setProperty("bootCount", "" + bootCount);
        all.setProperty("androidID", androidID);
        all.setProperty("elapsedOffset", "" + elapsedOffset); // of nanoTime, which counts for all processes
        write(all, new File(folder, "phone.properties"));
    }

    static void write(Properties all, File file) {
        File fresh = new File(file.getPath() + ".new");
        try (FileOutputStream stream = new FileOutputStream(fresh)) {
            all.store(stream, null);
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
        if (!fresh.renameTo(file)) throw new IllegalStateException("rename");
    }

    static void delete(File file) {
        File[] inside = file.listFiles();
        if (inside != null) for (File each : inside) delete(each);
        file.delete();
    }
}
