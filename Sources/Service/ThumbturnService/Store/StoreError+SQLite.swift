internal import ThumbturnSQLite

extension StoreError {
    init(_ error: SQLiteError) {
        self =
            switch error {
            case .busy: .busy
            case .full: .full
            case .cannotOpen, .readOnly, .ioError: .unavailable
            case .notADatabase, .corrupt, .schemaMismatch, .tooBig: .damaged
            case .constraint: .conflict
            case .newerFormat(let version): .newerFormat(Int64(version))
            case .unsafeFile, .unsafeFolder: .unsafeFile
            case .other(let code): .other("\(code)")
            }
    }
}
