package android.view;

public class KeyEvent {
    public static final int KEYCODE_DEL = 67;

    private final int typed;

    public KeyEvent(int typed) {
        this.typed = typed;
    }

    public int getUnicodeChar() {
        return typed;
    }
}
