package org.thumbturn.device;

import android.hardware.biometrics.BiometricManager.Authenticators;
import android.security.keystore.KeyProperties;

/** What an item may be used with (C2). */
enum Access {
    /** The unlocked phone alone. */
    DEVICE_ONLY("deviceOnly", 0, 0),
    /** One of the fingers or faces enrolled when the item was made; a new one ends it. */
    CURRENT_BIOMETRY_SET("currentBiometrySet", KeyProperties.AUTH_BIOMETRIC_STRONG, Authenticators.BIOMETRIC_STRONG),
    /** Any finger or face, or the phone's own PIN; it ends with that. */
    ANY_BIOMETRY_OR_PASSCODE(
        "anyBiometryOrPasscode",
        KeyProperties.AUTH_BIOMETRIC_STRONG | KeyProperties.AUTH_DEVICE_CREDENTIAL,
        Authenticators.BIOMETRIC_STRONG | Authenticators.DEVICE_CREDENTIAL
    );

    /** Its name in thumbturn.h. */
    final String text;
    /** What the key asks for, in the key store's numbers. */
    final int keyAuthenticators;
    /** What the prompt takes, in the prompt's numbers, which are others. */
    final int promptAuthenticators;

    Access(String text, int keyAuthenticators, int promptAuthenticators) {
        this.text = text;
        this.keyAuthenticators = keyAuthenticators;
        this.promptAuthenticators = promptAuthenticators;
    }

    boolean isGuarded() {
        return this != DEVICE_ONLY;
    }

    boolean takesPasscode() {
        return this == ANY_BIOMETRY_OR_PASSCODE;
    }

    static Access named(String text) throws Refusal {
        for (Access access : values()) if (access.text.equals(text)) return access;
        throw new Refusal(Refusal.UNCLASSIFIED);
    }
}
