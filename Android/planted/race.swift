// expect: risks causing data races
// Found only by code generation.
final class Counter { var count = 0 }

func count() async {
    let counter = Counter()
    Task.detached { counter.count += 1 }
    counter.count += 1
}
