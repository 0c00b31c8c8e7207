package org.thumbturn.device;

import android.app.KeyguardManager;
import android.content.Context;
import android.hardware.biometrics.BiometricManager;
import java.nio.ByteBuffer;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.crypto.Cipher;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * This phone, as the vault's library asks for it: by number, answered later (thumbturn.h, TT_DEVICE_*).
 *
 * <p>All calls run in order on one worker, for the key store takes its time; a prompt that is up holds none of them up.
 */
final class PhoneDevice {
    private static final int FACTS = 1;
    private static final int INSTALLATION = 2;
    private static final int CAPABILITY = 3;
    private static final int PROMPT = 4;
    private static final int SAVE = 5;
    private static final int READ = 6;
    private static final int DESCRIBE = 7;
    private static final int DELETE = 8;
    private static final int MAKE_SECRET = 9;
    private static final int EVALUATE = 10;
    private static final int MAKE_KEY = 11;
    private static final int PUBLIC_KEY = 12;
    private static final int SIGN = 13;
    private static final int ANCHOR = 14;
    private static final int ANCHOR_MOVE = 15;
    private static final int ANCHOR_REMOVE = 16;
    private static final int CANCEL = 17;

    /** The library's side: where answers go, and where secrets lie. */
    interface Library {
        /** Answers a call; `secret` is a number, or 0. */
        void answer(long call, int refusal, int mismatches, String json, long secret);

        /** Makes a secret of `count` bytes. */
        long makeSecret(int count) throws Refusal;

        /** Lends the memory of a secret, until it is dropped or given away. */
        ByteBuffer bytes(long secret) throws Refusal;

        void dropSecret(long secret);
    }

    private final Library library;
    private final Executor worker;
    private final Keystore keystore = new Keystore();
    private final Sensor sensor;
    private final Items items;
    private final Anchors anchors;
    private final Installation installation;
    private final Prompts prompts;
    final Clocks clocks;

    /** Asks the phone through `context`, whose app alone sees the keys; on `worker`, one call after the other. */
    PhoneDevice(Context context, Library library, Executor worker) {
        this.library = library;
        this.worker = worker;
        PrivateFolder folder = new PrivateFolder(context.getNoBackupFilesDir(), "thumbturn-items");
        KeyguardManager keyguard = context.getSystemService(KeyguardManager.class);
        sensor = new Sensor(context.getSystemService(BiometricManager.class), keyguard, context.getPackageManager());
        items = new Items(keystore, folder, sensor, keyguard);
        anchors = new Anchors(keystore);
        installation = new Installation(keystore, folder);
        prompts = new Prompts(context, sensor, worker);
        clocks = new Clocks(context);
    }

    /** Makes the one worker of a process. */
    static ExecutorService makeWorker() {
        return Executors.newSingleThreadExecutor(work -> {
            Thread thread = new Thread(work, "thumbturn-device");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Takes a call of the library, and returns at once. */
    void ask(long call, int operation, String json, long secret) {
        worker.execute(() -> {
            try {
                byte[] input = secret == 0 ? new byte[0] : take(secret);
                try {
                    run(call, operation, new JSONObject(json), input);
                } finally {
                    Items.wipe(input);
                }
            } catch (Refusal refusal) {
                refuse(call, refusal);
            } catch (JSONException | RuntimeException failure) {
                refuse(call, new Refusal(Refusal.UNCLASSIFIED, failure));
            }
        });
    }

    private void run(long call, int operation, JSONObject json, byte[] input) throws Refusal, JSONException {
        switch (operation) {
            case FACTS: answer(call, facts()); break;
            case INSTALLATION: answer(call, member("installation", installation.name())); break;
            case CAPABILITY: answer(call, capability()); break;
            case PROMPT:
                items.requireUnlocked();
                prompt(call, json.getBoolean("passcode") ? Access.ANY_BIOMETRY_OR_PASSCODE : Access.CURRENT_BIOMETRY_SET, json, null);
                break;
            case SAVE:
                items.save(name(json), Access.named(json.getString("access")), input);
                answer(call, "{}");
                break;
            case READ: read(call, json); break;
            case DESCRIBE:
                Access access = items.describe(name(json));
                answer(call, access == null
                    ? "{\"item\":null}" : "{\"item\":{\"access\":\"" + access.text + "\",\"staysOnDevice\":true}}");
                break;
            case DELETE:
                items.delete(name(json));
                answer(call, "{}");
                break;
            case MAKE_SECRET:
                items.makeSecret(name(json));
                answer(call, "{}");
                break;
            case EVALUATE: answer(call, items.evaluate(name(json), input), 0); break;
            case MAKE_KEY: answer(call, member("publicKey", Hex.of(items.makeSigner(name(json))))); break;
            case PUBLIC_KEY: answer(call, member("publicKey", Hex.of(items.publicKey(name(json))))); break;
            case SIGN:
                answer(call, member("signature", Hex.of(items.sign(name(json), Hex.bytes(json.getString("message"))))));
                break;
            case ANCHOR:
                items.requireUnlocked();
                answer(call, member("position", anchors.position(name(json))));
                break;
            case ANCHOR_MOVE:
                items.requireUnlocked();
                String from = json.isNull("from") ? null : json.getString("from");
                answer(call, "{\"moved\":" + anchors.move(name(json), from, json.getString("to")) + "}");
                break;
            case ANCHOR_REMOVE:
                items.requireUnlocked();
                anchors.remove(name(json));
                answer(call, "{}");
                break;
            case CANCEL: prompts.cancel(call); break;
            default: throw new Refusal(Refusal.UNCLASSIFIED);
        }
    }

    /** Ends what is up, when the vault closes. */
    void close() {
        worker.execute(prompts::cancelAll);
    }

    boolean isAsking() {
        return prompts.isAsking();
    }

    /** Whether the owner's face or finger is one that may not guard keys, which the app's words then say. */
    boolean sensorIsTooWeak() {
        return sensor.isTooWeak();
    }

    private String facts() throws Refusal {
        String assurance = installation.assurance();
        return "{\"assurance\":{\"anyBiometryOrPasscode\":\"" + assurance + "\",\"currentBiometrySet\":\"" + assurance
            + "\",\"deviceOnly\":\"" + assurance + "\"},\"kind\":\"android\"}";
    }

    private String capability() throws Refusal {
        String reason = sensor.reason();
        return "{\"assurance\":\"" + installation.assurance() + "\",\"reason\":" + (reason == null ? "null" : "\"" + reason + "\"")
            + ",\"sensor\":\"" + sensor.kind() + "\"}";
    }

    private void read(long call, JSONObject json) throws Refusal, JSONException {
        String name = name(json);
        Box box = items.box(name);
        if (!box.access.isGuarded()) {
            answer(call, items.open(name, box), 0);
            return;
        }
        prompt(call, box.access, json, new Prompts.Guarded() {
            @Override
            public Cipher prepare() throws Refusal {
                items.requireUnlocked();
                return items.cipher(name);
            }

            @Override
            public byte[] open(Cipher cipher) throws Refusal {
                try {
                    return cipher.doFinal(box.ciphertext);
                } catch (java.security.GeneralSecurityException | RuntimeException failure) {
                    throw RefusalTable.ofKeystore(failure);
                }
            }
        });
    }

    private void prompt(long call, Access access, JSONObject json, Prompts.Guarded guarded) throws JSONException {
        JSONObject words = json.getJSONObject("prompt");
        prompts.ask(call, access, new Prompts.Words(words.getString("reason"), words.getString("cancel"), words.getString("fallback")),
            guarded, new Prompts.End() {
                @Override
                public void succeeded(byte[] secret, int mismatches) {
                    if (secret == null) library.answer(call, 0, mismatches, "{}", 0);
                    else answer(call, secret, mismatches);
                }

                @Override
                public void refused(Refusal refusal) {
                    refuse(call, refusal);
                }
            });
    }

    // ---- Answers ----

    private void answer(long call, String json) {
        library.answer(call, 0, 0, json, 0);
    }

    /** Answers by a secret. Its array is the platform's: filled, copied once, wiped; a copy of the collector's is out of our reach. */
    private void answer(long call, byte[] secret, int mismatches) {
        try {
            long number = library.makeSecret(secret.length);
            library.bytes(number).put(secret);
            library.answer(call, 0, mismatches, "{}", number);
        } catch (Refusal refusal) {
            refuse(call, refusal.after(mismatches));
        } finally {
            Items.wipe(secret);
        }
    }

    private void refuse(long call, Refusal refusal) {
        library.answer(call, refusal.number, refusal.mismatches, "{}", 0);
    }

    /** Takes the bytes of a secret that is ours now, and ends it. */
    private byte[] take(long secret) throws Refusal {
        try {
            ByteBuffer bytes = library.bytes(secret);
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            return copy;
        } finally {
            library.dropSecret(secret);
        }
    }

    private static String name(JSONObject json) throws JSONException {
        return json.getString("name");
    }

    private static String member(String name, String text) {
        return "{\"" + name + "\":" + (text == null ? "null" : "\"" + text + "\"") + "}";
    }
}
