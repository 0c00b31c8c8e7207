package android.hardware.biometrics;

import android.content.Context;
import android.content.DialogInterface;
import android.os.CancellationSignal;
import java.util.concurrent.Executor;
import javax.crypto.Cipher;
import org.thumbturn.standin.Phone;
import org.thumbturn.standin.ShownPrompt;

/** [aosp BiometricPrompt.java, AuthSession.java] Words and a sensor; what happens on it is {@link ShownPrompt}'s. */
public class BiometricPrompt {
    public static final int BIOMETRIC_ERROR_HW_UNAVAILABLE = 1;
    public static final int BIOMETRIC_ERROR_UNABLE_TO_PROCESS = 2;
    public static final int BIOMETRIC_ERROR_TIMEOUT = 3;
    public static final int BIOMETRIC_ERROR_NO_SPACE = 4;
    public static final int BIOMETRIC_ERROR_CANCELED = 5;
    public static final int BIOMETRIC_ERROR_LOCKOUT = 7;
    public static final int BIOMETRIC_ERROR_VENDOR = 8;
    public static final int BIOMETRIC_ERROR_LOCKOUT_PERMANENT = 9;
    public static final int BIOMETRIC_ERROR_USER_CANCELED = 10;
    public static final int BIOMETRIC_ERROR_NO_BIOMETRICS = 11;
    public static final int BIOMETRIC_ERROR_HW_NOT_PRESENT = 12;
    public static final int BIOMETRIC_ERROR_NO_DEVICE_CREDENTIAL = 14;
    public static final int BIOMETRIC_ERROR_SECURITY_UPDATE_REQUIRED = 15;

    public String title;
    public int authenticators = BiometricManager.Authenticators.BIOMETRIC_STRONG;
    public CharSequence button;
    public Executor buttonExecutor;
    public DialogInterface.OnClickListener buttonListener;

    private BiometricPrompt() {}

    public static class Builder {
        private final BiometricPrompt prompt = new BiometricPrompt();

        public Builder(Context context) {
            if (context == null) throw new IllegalArgumentException("context");
        }

        public Builder setTitle(CharSequence title) {
            prompt.title = title.toString();
            return this;
        }

        public Builder setConfirmationRequired(boolean required) {
            return this;
        }

        public Builder setAllowedAuthenticators(int authenticators) {
            prompt.authenticators = authenticators;
            return this;
        }

        /** [aosp] An empty text is refused. */
        public Builder setNegativeButton(CharSequence text, Executor executor, DialogInterface.OnClickListener listener) {
            if (text == null || text.length() == 0) throw new IllegalArgumentException("Text must be set and non-empty");
            prompt.button = text;
            prompt.buttonExecutor = executor;
            prompt.buttonListener = listener;
            return this;
        }

        /** [doc] Throws without a title, for a button beside the device's PIN, and for none without it. */
        public BiometricPrompt build() {
            if (prompt.title == null || prompt.title.isEmpty()) throw new IllegalArgumentException("Title must be set and non-empty");
            boolean takesCredential = (prompt.authenticators & BiometricManager.Authenticators.DEVICE_CREDENTIAL) != 0;
            if (takesCredential && prompt.button != null) throw new IllegalArgumentException("Can't have both negative button behavior and device credential enabled");
            if (!takesCredential && prompt.button == null) throw new IllegalArgumentException("Negative text must be set and non-empty");
            return prompt;
        }
    }

    public static final class CryptoObject {
        private final Cipher cipher;

        public CryptoObject(Cipher cipher) {
            this.cipher = cipher;
        }

        public Cipher getCipher() {
            return cipher;
        }
    }

    public static class AuthenticationResult {
        private final CryptoObject crypto;

        public AuthenticationResult(CryptoObject crypto) {
            this.crypto = crypto;
        }

        public CryptoObject getCryptoObject() {
            return crypto;
        }
    }

    public abstract static class AuthenticationCallback {
        public void onAuthenticationError(int code, CharSequence text) {}

        public void onAuthenticationHelp(int code, CharSequence text) {}

        public void onAuthenticationSucceeded(AuthenticationResult result) {}

        public void onAuthenticationFailed() {}
    }

    public void authenticate(CryptoObject crypto, CancellationSignal cancel, Executor executor, AuthenticationCallback callback) {
        if (crypto == null) throw new IllegalArgumentException("Must supply a crypto object");
        Phone.show(new ShownPrompt(this, crypto, executor, callback), cancel);
    }

    public void authenticate(CancellationSignal cancel, Executor executor, AuthenticationCallback callback) {
        Phone.show(new ShownPrompt(this, null, executor, callback), cancel);
    }
}
