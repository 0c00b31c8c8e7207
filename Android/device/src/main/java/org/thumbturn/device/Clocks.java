package org.thumbturn.device;

import android.content.ContentResolver;
import android.content.Context;
import android.os.SystemClock;
import android.provider.Settings;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/** The phone's clocks: wall time, the time since the boot with sleep, and the name of the boot (A14 to A17). */
final class Clocks {
    private static final int BOOT = 16;

    private final ContentResolver resolver;

    Clocks(Context context) {
        resolver = context.getContentResolver();
    }

    /** Writes a {@code tt_clock}: two numbers of 8 bytes, and the 16 of the boot. From any thread. */
    void read(ByteBuffer reading) {
        reading.order(ByteOrder.nativeOrder());
        reading.putLong(0, System.currentTimeMillis());
        reading.putLong(8, SystemClock.elapsedRealtime());
        byte[] boot = boot();
        for (int index = 0; index < BOOT; index++) reading.put(16 + index, boot[index]);
    }

    /**
     * Names this boot: the system's count of them, and what tells this phone from others, on which a copy may be restored.
     *
     * @return 16 bytes; random ones if the count can't be read, which name no boot, so that no wait ends by them.
     */
    private byte[] boot() {
        try {
            int count = Settings.Global.getInt(resolver, Settings.Global.BOOT_COUNT);
            String phone = Settings.Secure.getString(resolver, Settings.Secure.ANDROID_ID);
            return MessageDigest.getInstance("SHA-256")
                .digest(("thumbturn.v1.android-boot/" + phone + "/" + count).getBytes(StandardCharsets.UTF_8));
        } catch (Settings.SettingNotFoundException | NoSuchAlgorithmException | RuntimeException unreadable) {
            byte[] random = new byte[BOOT];
            new SecureRandom().nextBytes(random);
            return random;
        }
    }
}
