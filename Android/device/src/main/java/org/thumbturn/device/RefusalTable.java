package org.thumbturn.device;

import android.hardware.biometrics.BiometricPrompt;
import android.os.Build;
import android.security.keystore.KeyPermanentlyInvalidatedException;
import android.security.keystore.UserNotAuthenticatedException;
import android.system.ErrnoException;
import java.security.InvalidKeyException;
import java.security.KeyStoreException;
import java.security.ProviderException;
import javax.crypto.BadPaddingException;

/**
 * The one table from Android's codes and exceptions to ours.
 *
 * <p>What it does not list is unclassified: the owner is asked for the PIN, and nothing is deleted (C16).
 */
final class RefusalTable {
    private RefusalTable() {}

    /** Maps the code with which a prompt ended. */
    static Refusal ofPrompt(int code) {
        switch (code) {
            case BiometricPrompt.BIOMETRIC_ERROR_HW_UNAVAILABLE:
            // The sensor waits for an update of the system before it may be trusted.
            case BiometricPrompt.BIOMETRIC_ERROR_SECURITY_UPDATE_REQUIRED:
                return new Refusal(Refusal.READER_FAILED);
            // The sensor waited for about 30 seconds; or the background, another prompt, or our own signal.
            case BiometricPrompt.BIOMETRIC_ERROR_TIMEOUT:
            case BiometricPrompt.BIOMETRIC_ERROR_CANCELED:
                return new Refusal(Refusal.CANCELLED_BY_SYSTEM);
            // For 30 seconds after five failures; until the device's own PIN after several such.
            case BiometricPrompt.BIOMETRIC_ERROR_LOCKOUT:
            case BiometricPrompt.BIOMETRIC_ERROR_LOCKOUT_PERMANENT:
                return new Refusal(Refusal.LOCKED_OUT);
            case BiometricPrompt.BIOMETRIC_ERROR_USER_CANCELED:
                return new Refusal(Refusal.CANCELLED_BY_USER);
            case BiometricPrompt.BIOMETRIC_ERROR_NO_BIOMETRICS:
            case BiometricPrompt.BIOMETRIC_ERROR_NO_DEVICE_CREDENTIAL:
                return new Refusal(Refusal.NOT_ENROLLED);
            case BiometricPrompt.BIOMETRIC_ERROR_HW_NOT_PRESENT:
                return new Refusal(Refusal.HARDWARE_MISSING);
            case NEGATIVE_BUTTON:
                return new Refusal(Refusal.FALLBACK);
            default:
                return new Refusal(Refusal.UNCLASSIFIED);
        }
    }

    /** Maps what a call of the key store threw, other than the preparation of a cipher. */
    static Refusal ofKeystore(Exception failure) {
        if (failure instanceof Refusal) return (Refusal) failure;
        // A box that its own key does not open: it is garbled, or another's.
        if (failure instanceof BadPaddingException) return new Refusal(Refusal.DAMAGED, failure);
        if (isExpired(failure)) return new Refusal(Refusal.CANCELLED_BY_SYSTEM, failure);
        // The daemon behind it is busy, dead, or says that another try may help.
        if (failure instanceof ProviderException || failure instanceof KeyStoreException
            || failure instanceof java.security.UnrecoverableKeyException) {
            return new Refusal(Refusal.UNAVAILABLE, failure);
        }
        return new Refusal(Refusal.UNCLASSIFIED, failure);
    }

    /**
     * Maps what the preparation of a cipher threw, for a key whose alias is there.
     *
     * <p>Android throws the same for a key that was invalidated and for one that it does not find, so who asks looks for the alias first.
     */
    static Refusal ofCipher(InvalidKeyException failure) {
        if (failure instanceof KeyPermanentlyInvalidatedException) return new Refusal(Refusal.REVOKED, failure);
        // The phone is locked, or was not unlocked since it booted.
        if (failure instanceof UserNotAuthenticatedException) return new Refusal(Refusal.UNAVAILABLE, failure);
        return new Refusal(Refusal.UNCLASSIFIED, failure);
    }

    /** Maps a failed call of the file system. */
    static Refusal ofFiles(ErrnoException failure) {
        return new Refusal(Refusal.UNAVAILABLE, failure);
    }

    /** The library's own number for the button below a prompt, as androidx has it. */
    static final int NEGATIVE_BUTTON = 13;

    /** Whether the key store has dropped the operation for others, of which a phone has about 16. */
    private static boolean isExpired(Exception failure) {
        if (Build.VERSION.SDK_INT < 33 || !(failure.getCause() instanceof android.security.KeyStoreException)) return false;
        int code = ((android.security.KeyStoreException) failure.getCause()).getNumericErrorCode();
        return code == android.security.KeyStoreException.ERROR_KEY_OPERATION_EXPIRED;
    }
}
