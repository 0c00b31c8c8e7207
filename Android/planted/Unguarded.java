// expect: ^Unguarded.level: API 31, without a guard: android.security.keystore.KeyInfo getSecurityLevel\(\): int
import android.security.keystore.KeyInfo;

final class Unguarded {
    static int level(KeyInfo info) {
        return info.getSecurityLevel();
    }
}
