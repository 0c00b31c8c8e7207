package org.thumbturn.device;

import android.app.Activity;
import android.app.Application;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * The one vault of an app whose scripts come and go, such as React Native's: a reload finds it as it was.
 *
 * <p>Its methods are the main thread's, but for those that say so.
 */
public final class SharedVault {
    private final Application app;
    private volatile ThumbturnVault vault;
    private Told told;
    private ScriptSession session;
    private String configuration;
    private boolean isClosing;
    private boolean isAway;
    /** How often a script has asked for its vault, and {@link #open} has not run. */
    private final AtomicInteger openings = new AtomicInteger();
    private volatile String value;
    private volatile IllegalStateException failure;

    public SharedVault(Application app) {
        this.app = app;
    }

    /**
     * Returns the value that the screens show now, or null before there is one, and while a script waits for its vault: what the
     * former vault shows must not pass for the new one's. On any thread.
     *
     * @throws IllegalStateException if the vault could not be opened; its cause is what {@link ThumbturnVault#open} threw.
     */
    public String fields() {
        if (openings.get() > 0) return null;
        IllegalStateException thrown = failure;
        if (thrown != null) throw thrown;
        return value;
    }

    /** A script has asked for its vault, and {@link #open} follows; on any thread. */
    public void opens() {
        openings.incrementAndGet();
    }

    /** Does this on the main thread, in the order in which such calls come; on any thread. */
    public void onMain(Runnable work) {
        app.getMainExecutor().execute(work);
    }

    /** The session of the script that opened the vault last; null before the first. */
    public ScriptSession session() {
        return session;
    }

    /**
     * Opens the vault for a script, and ends the session of the script before it.
     *
     * <p>Where the vault is open under this configuration, it stays as it is: unlocked, or waiting, and `changed` is told soon. Under
     * another, also under another language, it is closed and opened anew.
     *
     * @param shown the activity that is in front now; null if none is.
     * @param changed is told at each change, until the session ends, and where the vault could not be opened: look at `fields`.
     */
    public ScriptSession open(Supplier<Activity> shown, String configuration, Consumer<String> changed) {
        openings.updateAndGet(count -> Math.max(0, count - 1));
        if (session != null) session.end();
        session = new ScriptSession(this, changed);
        if (configuration.equals(this.configuration) && failure == null) {
            ScriptSession opened = session;
            onMain(() -> {
                if (opened == session && value != null) tell(value);
            });
            return session;
        }
        this.configuration = configuration;
        told = null;
        value = null;
        failure = null;
        ThumbturnVault former = vault;
        vault = null;
        if (former != null) {
            isClosing = true;
            former.close(() -> {
                isClosing = false;
                start(shown.get());
            });
        } else if (!isClosing) {
            start(shown.get());
        }
        return session;
    }

    /** Whether a prompt asks the owner now; on any thread. */
    public boolean isAsking() {
        ThumbturnVault asked = vault;
        return asked != null && asked.isAsking();
    }

    /** Whether the vault's session is open. */
    boolean isOpen() {
        try {
            JSONObject unlock = value == null ? null : new JSONObject(value).getJSONObject("screens").optJSONObject("unlock");
            return unlock != null && !unlock.isNull("scope");
        } catch (JSONException failure) {
            return false;
        }
    }

    /** Whether the app is in the background. */
    boolean isAway() {
        return isAway;
    }

    /** The vault; null where none is open yet. */
    ThumbturnVault vault() {
        return vault;
    }

    /** What that vault tells. */
    Told told() {
        return told;
    }

    boolean speaksFrench() {
        try {
            return new JSONObject(configuration).optString("language").equals("fr");
        } catch (JSONException failure) {
            return false;
        }
    }

    private void start(Activity shown) {
        told = new Told();
        try {
            vault = ThumbturnVault.open(app, shown, configuration, told);
        } catch (RuntimeException | LinkageError thrown) {
            // The latter on a phone of 32 bits, for which there is no libthumbturn.so.
            failure = new IllegalStateException("thumbturn: not opened", thrown);
            tell(null);
        }
    }

    private void tell(String text) {
        value = text;
        session.tell(text);
    }

    /** What one vault tells. */
    final class Told implements ThumbturnVault.Listener {
        /** What actions gave, by their tickets, until they are answered. */
        private final Map<Long, SecretBuffer> given = new HashMap<>();

        @Override
        public void changed(String text) {
            // A vault that is being closed is nobody's any more.
            if (told == this) tell(text);
        }

        @Override
        public void away(boolean away) {
            if (told != this) return;
            isAway = away;
            if (away) session.hideGiven();
        }

        @Override
        public synchronized void lent(long ticket, ByteBuffer secret) {
            SecretBuffer copy = new SecretBuffer(secret.remaining());
            copy.bytes().put(secret);
            given.put(ticket, copy);
        }

        /** What the action with this ticket gave; null for most. */
        synchronized SecretBuffer take(long ticket) {
            return given.remove(ticket);
        }
    }
}
