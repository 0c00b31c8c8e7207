// expect: ^Overriding: overrides what is not in api.txt: android.hardware.biometrics.BiometricPrompt\$AuthenticationCallback onAuthenticationHelp
import android.hardware.biometrics.BiometricPrompt;

final class Overriding extends BiometricPrompt.AuthenticationCallback {
    @Override
    public void onAuthenticationHelp(int code, CharSequence help) {}
}
