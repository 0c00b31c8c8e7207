package android.provider;

import android.content.ContentResolver;
import org.thumbturn.standin.Phone;

public final class Settings {
    public static class SettingNotFoundException extends Exception {
        private static final long serialVersionUID = 1;

        public SettingNotFoundException(String name) {
            super(name);
        }
    }

    public static final class Global {
        public static final String BOOT_COUNT = "boot_count";

        /** [doc] Counts the boots of the phone since it was set up. */
        public static int getInt(ContentResolver resolver, String name) throws SettingNotFoundException {
            if (!name.equals(BOOT_COUNT) || Phone.bootCount <= 0) throw new SettingNotFoundException(name);
            return Phone.bootCount;
        }
    }

    public static final class Secure {
        public static final String ANDROID_ID = "android_id";

        /** [doc] Of this phone, this user and the app's signing key; another after the phone is erased. */
        public static String getString(ContentResolver resolver, String name) {
            return name.equals(ANDROID_ID) ? Phone.androidID : null;
        }
    }
}
