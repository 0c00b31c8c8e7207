// expect: sending 'context' risks causing data races
import LocalAuthentication

actor Prompter {
    func show(_ context: sending LAContext) {}
}

func show(_ context: LAContext, by prompter: Prompter) async {
    await prompter.show(context)
}
