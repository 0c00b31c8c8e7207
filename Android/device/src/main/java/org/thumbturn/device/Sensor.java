package org.thumbturn.device;

import android.app.KeyguardManager;
import android.content.pm.PackageManager;
import android.hardware.biometrics.BiometricManager;
import android.hardware.biometrics.BiometricManager.Authenticators;
import android.os.SystemClock;

/** What the phone's sensors can do at this moment, as far as they may guard keys (F-107-01, B-01). */
final class Sensor {
    /** How long the system's shortest lockout lasts. */
    private static final long LOCKOUT = 30_000;

    private final BiometricManager manager;
    private final KeyguardManager keyguard;
    private final PackageManager packages;
    /** Until when a lockout that a prompt met is told, in milliseconds since the boot. */
    private long lockedOutUntil;

    Sensor(BiometricManager manager, KeyguardManager keyguard, PackageManager packages) {
        this.manager = manager;
        this.keyguard = keyguard;
        this.packages = packages;
    }

    /** Returns "touchID" for a finger, "faceID" for a face or an iris, "none"; a finger where there are both. */
    String kind() {
        // A face that may not guard keys (class 2) is as good as none: the system then says that there is no hardware.
        if (state() == BiometricManager.BIOMETRIC_ERROR_NO_HARDWARE) return "none";
        if (packages.hasSystemFeature(PackageManager.FEATURE_FINGERPRINT)) return "touchID";
        if (packages.hasSystemFeature(PackageManager.FEATURE_FACE) || packages.hasSystemFeature(PackageManager.FEATURE_IRIS)) {
            return "faceID";
        }
        return "none";
    }

    /** Returns why the sensor can't be used now, in the words of thumbturn.h; null when it can. */
    String reason() {
        switch (state()) {
            case BiometricManager.BIOMETRIC_SUCCESS:
                // The system tells no lockout here: what the last prompt met is told for as long as the shortest one lasts.
                return SystemClock.elapsedRealtime() < lockedOutUntil ? "lockedOut" : null;
            case BiometricManager.BIOMETRIC_ERROR_NO_HARDWARE:
                return "noHardware";
            case BiometricManager.BIOMETRIC_ERROR_NONE_ENROLLED:
                return keyguard.isDeviceSecure() ? "notEnrolled" : "noPasscode";
            default:
                return "temporarilyUnavailable";
        }
    }

    /** Whether the phone knows its owner by a face or finger that may not guard keys. */
    boolean isTooWeak() {
        return state() != BiometricManager.BIOMETRIC_SUCCESS
            && manager.canAuthenticate(Authenticators.BIOMETRIC_WEAK) == BiometricManager.BIOMETRIC_SUCCESS;
    }

    /** Throws if a key under `access` could be bound to nothing. */
    void requireSomethingToBindTo(Access access) throws Refusal {
        if (!access.isGuarded()) return;
        boolean isSecure;
        int state;
        try {
            isSecure = keyguard.isDeviceSecure();
            state = state();
        } catch (RuntimeException failure) {
            throw new Refusal(Refusal.UNAVAILABLE, failure);
        }
        if (access.takesPasscode()) {
            if (!isSecure) throw new Refusal(Refusal.NOT_ENROLLED);
        } else if (state == BiometricManager.BIOMETRIC_ERROR_NO_HARDWARE) {
            throw new Refusal(Refusal.HARDWARE_MISSING);
        } else if (!isSecure || state == BiometricManager.BIOMETRIC_ERROR_NONE_ENROLLED) {
            throw new Refusal(Refusal.NOT_ENROLLED);
        }
    }

    /** Remembers whether a prompt met a lockout, which shows in nothing else. */
    void promptEnded(boolean isLockedOut) {
        lockedOutUntil = isLockedOut ? SystemClock.elapsedRealtime() + LOCKOUT : 0;
    }

    private int state() {
        return manager.canAuthenticate(Authenticators.BIOMETRIC_STRONG);
    }
}
