import ThumbturnConsole

/// PyPI's `srp` as a server in another process, which prints the cost of its half of a login.
struct PythonPeer {
    private static let program = """
        import sys, time, srp
        import srptools.constants as constants
        srp.rfc5054_enable()
        how = dict(hash_alg=srp.SHA256, ng_type=srp.NG_CUSTOM, n_hex=constants.PRIME_3072.encode(), g_hex=b"5")
        salt, verifier = srp.create_salted_verification_key("bench", "a" * 64, salt_len=16, **how)
        def login():
            user = srp.User("bench", "a" * 64, **how)
            _, A = user.start_authentication()
            start = time.thread_time()
            server = srp.Verifier("bench", salt, verifier, A, **how)
            s, B = server.get_challenge()
            spent = time.thread_time() - start
            M = user.process_challenge(s, B)
            start = time.thread_time()
            proof = server.verify_session(M)
            spent += time.thread_time() - start
            assert server.authenticated() and proof
            return spent
        count = int(sys.argv[1])
        login()
        print(int(sum(login() for _ in range(count)) / count * 1e9))
        """

    private let python: String

    init(_ python: String) { self.python = python }

    /// - Returns: the processor time of one login, in seconds.
    func run(count: Int) throws -> Double {
        let child = try ChildProcess.run(python, ["-c", Self.program, "\(count)"], environment: ["PATH=/usr/bin:/bin"])
        let printed = child.standardOutput.split(separator: "\n").first.flatMap { Double($0) }
        guard child.exitCode == 0, let nanoseconds = printed else {
            throw BenchError(what: "\(python) has no srp: \(child.standardError.suffix(200))")
        }
        return nanoseconds / 1e9
    }
}
