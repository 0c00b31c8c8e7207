package org.thumbturn.device;

import android.app.KeyguardManager;
import android.hardware.biometrics.BiometricManager;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.thumbturn.standin.Phone;

/** Stops each change of the store at every call to key store and files, and opens what is there then anew. */
final class Stops {
    private Stops() {}

    private static final String NAME = "thumbturn.00000000000000000000000000000001.credential.00000000000000000000000000000002";
    private static final byte[] SECRET = new byte[32];
    private static final String ONE = "0000000000000001" + "11111111111111111111111111111111";
    private static final String TWO = "0000000000000002" + "22222222222222222222222222222222";

    private interface Change {
        void run(Parts parts) throws Refusal;
    }

    /** What a check finds wrong; null if nothing. */
    private interface Check {
        String run(Parts parts) throws Refusal;
    }

    /** The store as a new process makes it. */
    private static final class Parts {
        final Keystore keystore = new Keystore();
        final Items items;
        final Anchors anchors = new Anchors(keystore);
        final Installation installation;

        Parts() {
            PrivateFolder folder = new PrivateFolder(Phone.app().getNoBackupFilesDir(), "thumbturn-items");
            KeyguardManager keyguard = Phone.app().getSystemService(KeyguardManager.class);
            Sensor sensor = new Sensor(Phone.app().getSystemService(BiometricManager.class), keyguard, Phone.app().getPackageManager());
            items = new Items(keystore, folder, sensor, keyguard);
            installation = new Installation(keystore, folder);
        }
    }

    /** Walks all; returns how many situations there were, or what was wrong. */
    static String walk(String path, int level) throws Exception {
        Arrays.fill(SECRET, (byte) 7);
        int[] count = {0};
        Change nothing = parts -> {};
        String[] wrong = {
            stop(path, level, count, nothing, parts -> parts.items.save(NAME, Access.DEVICE_ONLY, SECRET), Stops::wholeOrAbsent),
            stop(path, level, count, nothing, parts -> parts.items.save(NAME, Access.CURRENT_BIOMETRY_SET, SECRET), Stops::wholeOrAbsent),
            stop(path, level, count, nothing, parts -> parts.items.save(NAME, Access.ANY_BIOMETRY_OR_PASSCODE, SECRET), Stops::wholeOrAbsent),
            stop(path, level, count, parts -> parts.items.save(NAME, Access.DEVICE_ONLY, SECRET), parts -> parts.items.delete(NAME),
                Stops::wholeOrAbsent),
            stop(path, level, count, nothing, parts -> parts.items.makeSecret(NAME), Stops::secretOrAbsent),
            stop(path, level, count, nothing, parts -> parts.items.makeSigner(NAME), Stops::secretOrAbsent),
            stop(path, level, count, parts -> parts.items.makeSecret(NAME), parts -> parts.items.delete(NAME), Stops::secretOrAbsent),
            stop(path, level, count, nothing, parts -> parts.anchors.move(NAME, null, ONE), parts -> anchor(parts, null, ONE)),
            stop(path, level, count, parts -> parts.anchors.move(NAME, null, ONE), parts -> parts.anchors.move(NAME, ONE, TWO),
                parts -> anchor(parts, ONE, TWO)),
            stop(path, level, count, parts -> parts.anchors.move(NAME, null, ONE), parts -> parts.anchors.remove(NAME),
                parts -> anchor(parts, ONE, null)),
            stop(path, level, count, nothing, parts -> parts.installation.name(), parts ->
                parts.installation.name().equals(parts.installation.name()) ? null : "two names of one installation"),
        };
        for (String each : wrong) if (each != null) return each;
        return "" + count[0];
    }

    private static String stop(String path, int level, int[] count, Change before, Change change, Check check) throws Exception {
        File folder = new File(path, "phone");
        clear(folder);
        Phone.start(folder.getPath(), level);
        before.run(new Parts());
        int[] copies = {0};
        File copied = new File(path, "copies");
        clear(copied);
        Phone.everyCall = () -> copyUnchecked(folder, new File(copied, "" + copies[0]++));
        change.run(new Parts());
        Phone.everyCall = null;
        copy(folder, new File(copied, "" + copies[0]++));
        for (int index = 0; index < copies[0]; index++) {
            count[0]++;
            Phone.start(new File(copied, "" + index).getPath(), level);
            String wrong = check.run(new Parts());
            if (wrong != null) return "stopped at call " + index + " of " + copies[0] + ": " + wrong;
        }
        return null;
    }

    private static String wholeOrAbsent(Parts parts) throws Refusal {
        Access access = parts.items.describe(NAME);
        try {
            Box box = parts.items.box(NAME);
            if (!box.access.isGuarded()) {
                byte[] read = parts.items.open(NAME, box);
                if (!Arrays.equals(read, SECRET)) return "another secret";
            } else {
                parts.items.cipher(NAME);
            }
            if (access != box.access) return "described as " + access;
        } catch (Refusal refusal) {
            if (refusal.number != Refusal.ABSENT || access != null) return "described as " + access + ", read as " + refusal.number;
        }
        // And it can be deleted, after which its name is free.
        parts.items.delete(NAME);
        if (parts.items.describe(NAME) != null) return "there after it was deleted";
        parts.items.save(NAME, Access.DEVICE_ONLY, SECRET);
        return null;
    }

    private static String secretOrAbsent(Parts parts) throws Refusal {
        if (parts.items.describe(NAME) == null) {
            parts.items.makeSecret(NAME);
        }
        parts.items.delete(NAME);
        return parts.items.describe(NAME) == null ? null : "there after it was deleted";
    }

    private static String anchor(Parts parts, String former, String next) throws Refusal {
        String stands = parts.anchors.position(NAME);
        boolean isOne = stands == null ? former == null || next == null : stands.equals(former) || stands.equals(next);
        if (!isOne) return "the anchor stands at " + stands;
        String above = "0000000000000009" + "99999999999999999999999999999999";
        if (!parts.anchors.move(NAME, stands, above) || !above.equals(parts.anchors.position(NAME))) return "it does not move on";
        return null;
    }

    static void copy(File from, File to) throws IOException {
        File[] inside = from.listFiles();
        if (inside == null) {
            if (from.isFile()) Files.copy(from.toPath(), to.toPath(), StandardCopyOption.REPLACE_EXISTING);
            return;
        }
        to.mkdirs();
        for (File each : inside) copy(each, new File(to, each.getName()));
    }

    private static void copyUnchecked(File from, File to) {
        try {
            copy(from, to);
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void clear(File folder) {
        File[] inside = folder.listFiles();
        if (inside != null) for (File each : inside) clear(each);
        folder.delete();
    }
}
