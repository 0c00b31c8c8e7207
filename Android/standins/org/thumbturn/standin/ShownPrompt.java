package org.thumbturn.standin;

import android.hardware.biometrics.BiometricManager.Authenticators;
import android.hardware.biometrics.BiometricPrompt;
import java.util.concurrent.Executor;
import javax.crypto.Cipher;

/** A prompt that is up, and what its owner does with it; {@link Phone}'s lock guards it. */
public final class ShownPrompt {
    private final BiometricPrompt prompt;
    private final BiometricPrompt.CryptoObject crypto;
    private final Executor executor;
    private final BiometricPrompt.AuthenticationCallback callback;

    public ShownPrompt(BiometricPrompt prompt, BiometricPrompt.CryptoObject crypto, Executor executor,
        BiometricPrompt.AuthenticationCallback callback) {
        this.prompt = prompt;
        this.crypto = crypto;
        this.executor = executor;
        this.callback = callback;
    }

    boolean takesCredential() {
        return (prompt.authenticators & Authenticators.DEVICE_CREDENTIAL) != 0;
    }

    /** Returns the code with which it ends at once; 0 if it comes up. */
    int obstacle() {
        // [aosp BiometricService.java] An app that is not in front gets no prompt.
        if (!Phone.isInFront) return BiometricPrompt.BIOMETRIC_ERROR_CANCELED;
        if (takesCredential() && Phone.rootSid != 0) return 0;
        if (takesCredential()) return BiometricPrompt.BIOMETRIC_ERROR_NO_DEVICE_CREDENTIAL;
        if (Phone.sensor.equals("none") || Phone.sensor.equals("weakFace")) return BiometricPrompt.BIOMETRIC_ERROR_HW_NOT_PRESENT;
        if (Phone.isSensorBusy) return BiometricPrompt.BIOMETRIC_ERROR_HW_UNAVAILABLE;
        if (Phone.sensorID == 0) return BiometricPrompt.BIOMETRIC_ERROR_NO_BIOMETRICS;
        return Phone.isLockedOut ? BiometricPrompt.BIOMETRIC_ERROR_LOCKOUT : 0;
    }

    /** Applies one touch; returns whether the prompt stays. */
    boolean touch(String touch) {
        boolean usable = Phone.sensorID != 0 && !Phone.isLockedOut && !Phone.sensor.equals("none");
        switch (touch) {
            case "wait":
                return true;
            case "match":
                if (!usable) return true;
                Phone.mismatches = 0;
                succeed(new long[] {Phone.sensorID, Phone.rootSid}, 2);
                return false;
            case "mismatch":
                if (!usable) return true;
                // [doc] The prompt stays up after a finger that is nobody's.
                executor.execute(callback::onAuthenticationFailed);
                // [doc] Five in a row lock the sensor out.
                if (++Phone.mismatches < 5) return true;
                Phone.isLockedOut = true;
                if (takesCredential()) return true;
                end(BiometricPrompt.BIOMETRIC_ERROR_LOCKOUT);
                return false;
            case "cancel":
                end(BiometricPrompt.BIOMETRIC_ERROR_USER_CANCELED);
                return false;
            case "passcode":
                if (takesCredential()) {
                    Phone.isLockedOut = false;
                    Phone.mismatches = 0;
                    succeed(new long[] {Phone.rootSid}, 1);
                    return false;
                }
                return touch("fallback");
            case "fallback":
                if (prompt.button == null) return true;
                prompt.buttonExecutor.execute(() -> prompt.buttonListener.onClick(null, -2));
                return false;
            default:
                end(Integer.parseInt(touch)); // a code of the system's
                return false;
        }
    }

    private void succeed(long[] sids, int type) {
        BiometricPrompt.CryptoObject told = crypto;
        // What a hook in the app's own process can make of it (A29, A30).
        if (Phone.takes("hook-no-object")) told = null;
        else if (Phone.takes("hook-other-object")) told = new BiometricPrompt.CryptoObject(Phone.hookedCipher);
        else if (crypto != null && !Phone.takes("hook-no-owner")) Daemon.authorise(crypto.getCipher(), sids, type);
        BiometricPrompt.CryptoObject result = told;
        executor.execute(() -> callback.onAuthenticationSucceeded(new BiometricPrompt.AuthenticationResult(result)));
    }

    void end(int code) {
        executor.execute(() -> callback.onAuthenticationError(code, "code " + code));
    }

    Cipher cipher() {
        return crypto == null ? null : crypto.getCipher();
    }
}
