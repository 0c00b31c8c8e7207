package org.thumbturn.device;

import android.app.Activity;
import android.app.Application;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * One vault, as an app holds it: a value that shows (JSON), and actions that its owner asks (JSON). docs/android.md has the tour.
 *
 * <p>Open it once, in {@code Application.onCreate} or the first activity, and keep it. Keys, proofs and sessions have no face
 * here; a secret travels in {@link SecretBuffer} alone. Listeners are called on the app's main thread, but for
 * {@link Listener#lent}.
 */
public final class ThumbturnVault implements AutoCloseable {
    /** What the vault tells. */
    public interface Listener {
        /** The value changed, and this is the new one. */
        void changed(String value);

        /**
         * An action gives a secret: a recovery key, an exported wallet.
         *
         * <p>On a thread of the library's own: read it now. After this returns it is wiped. If this throws, the action is answered by
         * the error {@code SECRET_NOT_TAKEN}.
         */
        void lent(long ticket, ByteBuffer secret);

        /** The app went to the background, or is in front again. */
        default void away(boolean isAway) {}
    }

    /** How an action ended: {@code {"error":null}}, or an error with code, message and hint. */
    public interface Answer {
        void answered(String json);
    }

    private final Application app;
    private final Listener listener;
    private final Map<Long, Answer> answers = new HashMap<>();
    private final ExecutorService worker = PhoneDevice.makeWorker();
    private final PhoneDevice device;
    private final LifeCycle life;
    private volatile long vault;
    private volatile Runnable whenClosed;
    private long lastTicket;

    private ThumbturnVault(Application app, Listener listener) {
        this.app = app;
        this.listener = listener;
        device = new PhoneDevice(app, new Answers(), worker);
        life = new LifeCycle(app, this::happened);
    }

    /**
     * Opens the vault of this app, or prepares to make one with its owner. Shows no prompt; {@link Listener#changed} tells what was found.
     *
     * @param current the activity that is up already; null before the first.
     * @param configuration {@code {"language":"en","policy":"wallet","secret":{"kind":"pin","length":6}}}; the folder is added.
     * @throws IllegalArgumentException for a configuration that is none.
     * @throws IllegalStateException where the library has another version, or too many vaults are open.
     */
    public static ThumbturnVault open(Application app, Activity current, String configuration, Listener listener) {
        if (Bridge.version() < Bridge.VERSION) throw new IllegalStateException("thumbturn: an older library");
        ThumbturnVault made = new ThumbturnVault(app, listener);
        made.open(configuration);
        made.life.start(current);
        return made;
    }

    private void open(String configuration) {
        File home = new File(app.getNoBackupFilesDir(), "thumbturn");
        if (!home.isDirectory() && !home.mkdirs()) throw new IllegalStateException("thumbturn: no folder");
        ByteBuffer json;
        try {
            json = direct(new JSONObject(configuration).put("home", home.getPath()).toString());
        } catch (JSONException failure) {
            throw new IllegalArgumentException("thumbturn: the configuration is no JSON", failure);
        }
        long[] handle = new long[1];
        int status = Bridge.open(json, json.capacity(), new Calls(), handle);
        if (status == Bridge.OK) {
            vault = handle[0];
            return;
        }
        worker.shutdown();
        throw new IllegalArgumentException("thumbturn: " + status);
    }

    /** Returns the value: what the screens show now. Null once the vault was closed. */
    public String fields() {
        long[] count = new long[1];
        ByteBuffer buffer = ByteBuffer.allocateDirect(8192);
        int status = Bridge.fields(vault, buffer, count);
        while (status == Bridge.BUFFER) {
            buffer = ByteBuffer.allocateDirect((int) count[0]);
            status = Bridge.fields(vault, buffer, count);
        }
        if (status != Bridge.OK) return null;
        buffer.limit((int) count[0]);
        return text(buffer);
    }

    /**
     * Does an action.
     *
     * @param secret the PIN, password or recovery key that it takes, or null; it is taken whatever this returns.
     * @param answer called once, on the main thread; not at all if this throws.
     * @return the ticket, by which it can be given up.
     * @throws IllegalArgumentException for what is no JSON, or after the vault was closed.
     */
    public long send(String action, SecretBuffer secret, Answer answer) {
        ByteBuffer json = direct(action);
        long number = secret == null ? 0 : secret.take();
        long ticket;
        synchronized (answers) {
            ticket = ++lastTicket;
            answers.put(ticket, answer);
        }
        int status = Bridge.send(vault, ticket, json, json.capacity(), number);
        if (status == Bridge.OK) return ticket;
        synchronized (answers) {
            answers.remove(ticket);
        }
        throw new IllegalArgumentException("thumbturn: " + status);
    }

    /** Gives up an action, and takes away its prompt; it is answered all the same. */
    public void cancel(long ticket) {
        Bridge.cancel(vault, ticket);
    }

    /** Whether a prompt asks the owner now, who may take their time; on any thread. */
    public boolean isAsking() {
        return device.isAsking();
    }

    /** Whether the phone knows its owner by a face or finger that may not guard keys: say so where biometrics are offered. */
    public boolean sensorIsTooWeak() {
        return device.sensorIsTooWeak();
    }

    /** Locks and closes the vault; every action that waits is answered first. */
    @Override
    public void close() {
        life.stop();
        device.close();
        Bridge.close(vault);
    }

    /** The same; then calls `closed` on the main thread, once the folder is free for another to open. */
    public void close(Runnable closed) {
        whenClosed = closed;
        close();
    }

    /** Its handle, for tests. */
    long number() {
        return vault;
    }

    private void happened(int event) {
        Bridge.happen(vault, event);
        if (event == LifeCycle.BACKGROUND || event == LifeCycle.ACTIVE) listener.away(event == LifeCycle.BACKGROUND);
    }

    private static ByteBuffer direct(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length);
        buffer.put(bytes).flip();
        return buffer;
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }

    /** What the library calls. */
    private final class Calls implements Bridge.Callbacks {
        @Override
        public void clock(ByteBuffer reading) {
            device.clocks.read(reading);
        }

        @Override
        public void ask(long asking, long call, int operation, ByteBuffer json, long secret) {
            // The first call may come before the handle is returned.
            vault = asking;
            device.ask(call, operation, text(json), secret);
        }

        @Override
        public void changed(ByteBuffer json) {
            String value = text(json);
            app.getMainExecutor().execute(() -> listener.changed(value));
        }

        @Override
        public void answered(long ticket, ByteBuffer json) {
            String answer = text(json);
            Answer waiting;
            synchronized (answers) {
                waiting = answers.remove(ticket);
            }
            if (waiting != null) app.getMainExecutor().execute(() -> waiting.answered(answer));
        }

        @Override
        public void lent(long ticket, ByteBuffer bytes) {
            listener.lent(ticket, bytes);
        }

        @Override
        public void closed() {
            worker.shutdown();
            Runnable then = whenClosed;
            if (then != null) app.getMainExecutor().execute(then);
        }
    }

    /** Where the phone's answers go. */
    private final class Answers implements PhoneDevice.Library {
        @Override
        public void answer(long call, int refusal, int mismatches, String json, long secret) {
            ByteBuffer bytes = direct(json);
            Bridge.answer(vault, call, refusal, mismatches, bytes, bytes.capacity(), secret);
        }

        @Override
        public long makeSecret(int count) throws Refusal {
            long[] made = new long[1];
            if (Bridge.secretMake(count, made) != Bridge.OK) throw new Refusal(Refusal.UNAVAILABLE);
            return made[0];
        }

        @Override
        public ByteBuffer bytes(long secret) throws Refusal {
            ByteBuffer bytes = Bridge.secretBytes(secret);
            if (bytes == null) throw new Refusal(Refusal.UNCLASSIFIED);
            return bytes;
        }

        @Override
        public void dropSecret(long secret) {
            Bridge.secretDrop(secret);
        }
    }
}
