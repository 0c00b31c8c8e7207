// expect: cannot find symbol
import java.util.List;

final class Java9 {
    static List<String> names() {
        return List.of("finger");
    }
}
