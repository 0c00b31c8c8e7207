package org.thumbturn.device;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * One script's way to the vault: its calls by the number that it gave them, and secrets that it knows by number alone.
 *
 * <p>All of it ends with the script, and the vault stays as it is. Its methods are the main thread's. {@link SharedVault#open}
 * makes it.
 */
public final class ScriptSession {
    /** Why a call is refused before the vault is asked, in the words of ThumbturnHost's {@code HostError}. */
    private enum Cause {
        HOST_NOT_OPEN("The vault has not been opened.", "Le coffre n'a pas été ouvert.", "Open the vault again.", "Ouvrez le coffre à nouveau."),
        LOCKED(
            "The vault is locked.",
            "Le coffre est verrouillé.",
            "Unlock with your PIN or password.",
            "Déverrouillez avec votre code ou mot de passe."),
        SECRET_GONE(
            "What was typed was used or wiped already: type it again.",
            "La saisie a déjà servi ou a été effacée : saisissez-la à nouveau.",
            "Try again.",
            "Réessayez."),
        SECRET_TOO_LONG("The secret is too long.", "Le secret est trop long."),
        TICKET_TAKEN("Another call has this number.", "Un autre appel a ce numéro."),
        ACTION_WRONG("The vault did not take the action.", "Le coffre n'a pas accepté l'action."),
        NOT_ON_ANDROID("This call is not available on Android yet.", "Cet appel n'est pas encore disponible sur Android.");

        private final String[] english;
        private final String[] french;

        Cause(String english, String french) {
            this(english, french, "This is a fault of the app: report it.", "C'est un défaut de l'app : signalez-le.");
        }

        Cause(String english, String french, String hint, String frenchHint) {
            this.english = new String[] {english, hint};
            this.french = new String[] {french, frenchHint};
        }

        String json(boolean isFrench) {
            String[] words = isFrench ? french : english;
            try {
                String code = this == LOCKED ? "ERR-TT-104" : name();
                JSONObject error = new JSONObject().put("code", code).put("hint", words[1]).put("message", words[0]);
                return new JSONObject().put("error", error.put("recoverable", this == SECRET_GONE || this == LOCKED)).toString();
            } catch (JSONException failure) {
                throw new IllegalStateException(failure);
            }
        }
    }

    /** Far more than can be under way at once; the others were answered long ago. */
    private static final int MOST_CANCELLED = 64;
    /** Counts for all sessions, so that the number of a former one is never one of this. */
    private static double lastNumber;

    private final SharedVault shared;
    private final Consumer<String> changed;
    private final Map<Double, Long> calls = new HashMap<>();
    private final Map<Double, SecretBuffer> secrets = new HashMap<>();
    /** Calls that were cancelled before they came: what a script asks for at once may arrive in any order. */
    private final ArrayDeque<Double> cancelled = new ArrayDeque<>();
    /** What was given last, until it is shown. */
    private SecretBuffer given;
    private double givenNumber;
    /** Take what was given off the screen. */
    private final ArrayDeque<Runnable> hides = new ArrayDeque<>();
    private boolean isOver;

    ScriptSession(SharedVault shared, Consumer<String> changed) {
        this.shared = shared;
        this.changed = changed;
    }

    /** What a call answers whose script has no session yet. */
    public static String notOpen() {
        return Cause.HOST_NOT_OPEN.json(false);
    }

    /** Ends the session: cancels its calls and wipes its secrets. Later calls are refused. */
    public void end() {
        isOver = true;
        for (SecretBuffer secret : secrets.values()) secret.close();
        secrets.clear();
        hideGiven();
        if (shared.vault() != null) for (long call : calls.values()) shared.vault().cancel(call);
    }

    /**
     * Does an action, as {@link ThumbturnVault#send} does.
     *
     * <p>A secret that it gives stays here: the answer is {@code {"error":null,"given":N}}, and {@link #take} has it.
     *
     * @param ticket the number of this call; no other call that is under way has it.
     * @param secret null; a {@code String}, whose copies nobody can wipe; or the number of a kept secret, which is used up.
     * @param answer called once, also when the call was cancelled.
     */
    public void send(double ticket, String action, Object secret, ThumbturnVault.Answer answer) {
        ThumbturnVault vault = shared.vault();
        Cause obstacle = isOver || vault == null ? Cause.HOST_NOT_OPEN
            : Double.isNaN(ticket) || calls.containsKey(ticket) ? Cause.TICKET_TAKEN
            : secret instanceof String && SecretBuffer.byteCount((String) secret) > SecretBuffer.MOST_BYTES ? Cause.SECRET_TOO_LONG
            : secret == null || secret instanceof String || secrets.containsKey(secret) ? null
            : Cause.SECRET_GONE;
        if (obstacle != null) {
            answer.answered(refuse(obstacle, secret));
            return;
        }
        SharedVault.Told told = shared.told();
        try (SecretBuffer held = take(secret)) {
            calls.put(ticket, vault.send(action, held, json -> {
                SecretBuffer found = told.take(calls.remove(ticket));
                answer.answered(found == null ? json : give(found));
            }));
        } catch (IllegalArgumentException | IllegalStateException refused) {
            answer.answered(refuse(Cause.ACTION_WRONG, null));
            return;
        }
        if (cancelled.remove(ticket)) cancel(ticket);
    }

    /** Cancels a call, and takes the prompt away that it shows; does nothing once it was answered. */
    public void cancel(double ticket) {
        Long call = calls.get(ticket);
        if (call != null) {
            // A vault that is being closed cancels its calls itself.
            if (shared.vault() != null) shared.vault().cancel(call);
            return;
        }
        cancelled.add(ticket);
        if (cancelled.size() > MOST_CANCELLED) cancelled.remove();
    }

    /** What Android's library can't do yet, such as a short secret of the app's own: refused. The secret is used up. */
    public String unavailable(Object secret) {
        return refuse(isOver ? Cause.HOST_NOT_OPEN : Cause.NOT_ON_ANDROID, secret);
    }

    /**
     * Keeps a secret for one call.
     *
     * @param use what it is for: {@code vault}. No call takes what is for anything else, so that is wiped.
     * @return its number, from 1, which no other ever had; 0 once the session is over.
     */
    public double keep(SecretBuffer secret, String use) {
        if (isOver || !use.equals("vault")) secret.close();
        if (isOver) return 0;
        lastNumber++;
        if (use.equals("vault")) secrets.put(lastNumber, secret);
        return lastNumber;
    }

    /** Wipes a secret that is not needed any more. */
    public void drop(double number) {
        SecretBuffer secret = secrets.remove(number);
        if (secret != null) secret.close();
    }

    /**
     * Takes the secret that an answer gave, to be shown natively, once.
     *
     * @param hide called once, when it must not be shown any more: the vault is locked, or the script has ended.
     * @return null for one that was taken, wiped, or followed by another.
     */
    public SecretBuffer take(double number, Runnable hide) {
        if (given == null || givenNumber != number || !shared.isOpen()) return null;
        SecretBuffer taken = given;
        given = null;
        hides.add(hide);
        return taken;
    }

    private String give(SecretBuffer secret) {
        hideGiven();
        // A reload, a lock, or leaving the app came before the answer.
        if (isOver || !shared.isOpen() || shared.isAway()) {
            secret.close();
            return (isOver ? Cause.HOST_NOT_OPEN : Cause.LOCKED).json(shared.speaksFrench());
        }
        given = secret;
        givenNumber = ++lastNumber;
        return "{\"error\":null,\"given\":" + (long) givenNumber + "}";
    }

    /** Wipes what was given, and takes it off the screen: the vault is locked, or the app is left. */
    void hideGiven() {
        if (given != null) given.close();
        given = null;
        for (Runnable hide; (hide = hides.poll()) != null;) hide.run();
    }

    void tell(String value) {
        if ((given != null || !hides.isEmpty()) && !shared.isOpen()) hideGiven();
        if (!isOver) changed.accept(value);
    }

    private SecretBuffer take(Object secret) {
        if (secret == null) return null;
        return secret instanceof String ? SecretBuffer.of((String) secret) : secrets.remove(secret);
    }

    private String refuse(Cause cause, Object secret) {
        if (secret instanceof Double) drop((Double) secret);
        return cause.json(shared.speaksFrench());
    }
}
