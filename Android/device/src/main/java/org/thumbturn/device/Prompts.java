package org.thumbturn.device;

import android.content.Context;
import android.hardware.biometrics.BiometricPrompt;
import android.os.CancellationSignal;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import javax.crypto.Cipher;

/**
 * Shows one prompt at a time, in the order of the requests: a second one would dismiss the first.
 *
 * <p>A prompt for an item holds that item's cipher, and the item's secret comes out of this cipher alone: a prompt that
 * merely "succeeded" releases nothing (A29, A30). Everything here runs on the device's worker, the callbacks too.
 */
final class Prompts {
    /** After so many fingers or faces that fail, a prompt is ended: the system would allow five. */
    static final int MAXIMUM_MISMATCHES = 3;

    /** The words on a prompt; without `fallback` its button only dismisses it. */
    static final class Words {
        final String reason;
        final String cancel;
        final String fallback;

        Words(String reason, String cancel, String fallback) {
            this.reason = reason;
            this.cancel = cancel;
            this.fallback = fallback;
        }
    }

    /** What a prompt guards. */
    interface Guarded {
        /** Prepares the cipher, before anything is shown. */
        Cipher prepare() throws Refusal;

        /** Opens the item with the cipher that the prompt released. */
        byte[] open(Cipher cipher) throws Refusal;
    }

    /** How a prompt ended: with the secret, with null where it guards none, or with a refusal. */
    interface End {
        void succeeded(byte[] secret, int mismatches);

        void refused(Refusal refusal);
    }

    private final Context context;
    private final Sensor sensor;
    private final Executor worker;
    private final ArrayDeque<Request> waiting = new ArrayDeque<>();
    private volatile Request shown;

    Prompts(Context context, Sensor sensor, Executor worker) {
        this.context = context;
        this.sensor = sensor;
        this.worker = worker;
    }

    /**
     * Shows a prompt, once no other is up.
     *
     * @param call its number, by which it can be cancelled.
     * @param guarded what it opens; null proves that the owner is there, and releases nothing.
     */
    void ask(long call, Access access, Words words, Guarded guarded, End end) {
        waiting.add(new Request(call, access, words, guarded, end));
        showNext();
    }

    /** Whether one is up; on any thread. */
    boolean isAsking() {
        return shown != null;
    }

    /** Ends a prompt that is up, or that waits; does nothing for any other. */
    void cancel(long call) {
        for (Request request : waiting) {
            if (request.call == call) {
                waiting.remove(request);
                request.end.refused(new Refusal(Refusal.CANCELLED_BY_SYSTEM));
                return;
            }
        }
        // Not only asked for: a system that answers late, or never, holds nobody up.
        if (shown != null && shown.call == call) shown.finish(new Refusal(Refusal.CANCELLED_BY_SYSTEM));
    }

    /** Ends every prompt. */
    void cancelAll() {
        for (Request request; (request = waiting.poll()) != null;) request.end.refused(new Refusal(Refusal.CANCELLED_BY_SYSTEM));
        if (shown != null) shown.finish(new Refusal(Refusal.CANCELLED_BY_SYSTEM));
    }

    private void showNext() {
        while (shown == null && !waiting.isEmpty()) {
            shown = waiting.poll();
            shown.show();
        }
    }

    private final class Request extends BiometricPrompt.AuthenticationCallback {
        final long call;
        private final Access access;
        private final Words words;
        private final Guarded guarded;
        private final End end;
        private final CancellationSignal signal = new CancellationSignal();
        private BiometricPrompt.CryptoObject crypto;
        private int mismatches;

        Request(long call, Access access, Words words, Guarded guarded, End end) {
            this.call = call;
            this.access = access;
            this.words = words;
            this.guarded = guarded;
            this.end = end;
        }

        void show() {
            try {
                if (words.reason.isEmpty()) throw new Refusal(Refusal.UNCLASSIFIED);
                // It throws for an item that is gone or revoked, so nobody is asked for a finger in vain.
                if (guarded != null) crypto = new BiometricPrompt.CryptoObject(guarded.prepare());
                BiometricPrompt prompt = prompt();
                if (crypto != null) prompt.authenticate(crypto, signal, worker, this);
                else prompt.authenticate(signal, worker, this);
            } catch (Refusal refusal) {
                finish(refusal);
            } catch (RuntimeException failure) {
                finish(new Refusal(Refusal.UNCLASSIFIED, failure));
            }
        }

        private BiometricPrompt prompt() {
            BiometricPrompt.Builder builder = new BiometricPrompt.Builder(context)
                .setTitle(words.reason)
                .setConfirmationRequired(false)
                .setAllowedAuthenticators(access.promptAuthenticators);
            // The system throws for a button beside the device's own PIN, and for none without it.
            if (!access.takesPasscode()) {
                int meaning = words.fallback.isEmpty() ? Refusal.CANCELLED_BY_USER : Refusal.FALLBACK;
                builder.setNegativeButton(words.fallback.isEmpty() ? words.cancel : words.fallback, worker,
                    (dialog, button) -> finish(new Refusal(meaning)));
            }
            return builder.build();
        }

        @Override
        public void onAuthenticationSucceeded(BiometricPrompt.AuthenticationResult result) {
            if (shown != this) return;
            byte[] secret = null;
            try {
                if (guarded != null) {
                    // Another object, or none, is no release of this item, whoever says so.
                    if (result == null || result.getCryptoObject() != crypto) throw new Refusal(Refusal.UNCLASSIFIED);
                    secret = guarded.open(crypto.getCipher());
                }
            } catch (Refusal refusal) {
                finish(refusal);
                return;
            } catch (RuntimeException failure) {
                finish(new Refusal(Refusal.UNCLASSIFIED, failure));
                return;
            }
            sensor.promptEnded(false);
            leave();
            end.succeeded(secret, mismatches);
            showNext();
        }

        // A finger or face that failed does not end the system's prompt.
        @Override
        public void onAuthenticationFailed() {
            if (shown != this) return;
            mismatches++;
            if (mismatches >= MAXIMUM_MISMATCHES) finish(new Refusal(Refusal.NOT_RECOGNISED));
        }

        @Override
        public void onAuthenticationError(int code, CharSequence text) {
            finish(RefusalTable.ofPrompt(code));
        }

        /** Ends this prompt, whichever comes first; what the system says later is of nobody. */
        void finish(Refusal refusal) {
            if (shown != this) return;
            if (refusal.number == Refusal.LOCKED_OUT) sensor.promptEnded(true);
            leave();
            signal.cancel();
            end.refused(refusal.after(mismatches));
            showNext();
        }

        private void leave() {
            shown = null;
        }
    }
}
