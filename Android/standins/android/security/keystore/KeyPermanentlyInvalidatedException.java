package android.security.keystore;

import java.security.InvalidKeyException;

public class KeyPermanentlyInvalidatedException extends InvalidKeyException {
    private static final long serialVersionUID = 1;

    public KeyPermanentlyInvalidatedException() {
        super("Key permanently invalidated");
    }
}
