package android.content;

public class Intent {
    public static final String ACTION_SCREEN_OFF = "android.intent.action.SCREEN_OFF";

    private final String action;

    public Intent(String action) {
        this.action = action;
    }

    public String getAction() {
        return action;
    }
}
