// expect: ^CaughtTooNew: API 33, in a catch: android.security.KeyStoreException
import android.os.Build;
import android.security.KeyStoreException;
import java.util.concurrent.Callable;

final class CaughtTooNew {
    // An old phone looks for the class as it enters the method.
    static Object call(Callable<?> body) throws Exception {
        if (Build.VERSION.SDK_INT < 33) return null;
        try {
            return body.call();
        } catch (KeyStoreException failure) {
            return failure.getNumericErrorCode();
        }
    }
}
