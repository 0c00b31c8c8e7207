package android.security;

import android.os.Build;

/** [doc] Public with 33; before that it is a cause that nobody can name. */
public class KeyStoreException extends Exception {
    private static final long serialVersionUID = 1;

    public static final int ERROR_OTHER = 1;
    public static final int ERROR_USER_AUTHENTICATION_REQUIRED = 2;
    public static final int ERROR_KEY_OPERATION_EXPIRED = 15;

    private final int code;

    public KeyStoreException(int code, String text) {
        super(text);
        this.code = code;
    }

    /** [aosp KeyStoreException.java] -26 is the missing owner, -28 the operation that was dropped. */
    public int getNumericErrorCode() {
        Build.require(33, "KeyStoreException.getNumericErrorCode");
        switch (code) {
            case -26: return ERROR_USER_AUTHENTICATION_REQUIRED;
            case -28: return ERROR_KEY_OPERATION_EXPIRED;
            default: return ERROR_OTHER;
        }
    }
}
