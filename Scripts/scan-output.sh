#!/usr/bin/env bash
# Looks for the tests' own secrets in what a run printed and left behind: as text, in hexadecimal, base64 and UTF-16.
#
# usage: scan-output.sh FILE|FOLDER...     exits 1 and names each file that holds one
#        scan-output.sh --self-test        plants each form, and expects to find it
set -euo pipefail
cd "$(dirname "$0")/.."

# The PINs and mnemonics that the tests put into vaults, from where the tests take them. Published test vectors are no
# secrets: their tests print them as arguments.
secrets() {
    sed -nE 's/.*static let (pin|mnemonic|firstPIN|secondPIN|otherWords) = "([^"\\]{6,})".*/\2/p' \
        Sources/Workshop/ThumbturnTestKit/*.swift Tests/Workshop/CrashExplorer/*.swift Tests/*/*/*/*.swift | sort -u
    echo SENTINEL
}

scan() {
    secrets | perl -e '
        use strict; use warnings; use MIME::Base64; use File::Find;
        my %forms;
        while (my $secret = <STDIN>) {
            chomp $secret;
            my @forms = ($secret, unpack("H*", $secret), uc unpack("H*", $secret), join("", map { "$_\0" } split //, $secret));
            # Base64 depends on where in a group of three bytes the secret begins; the outer characters mix with others.
            for my $lead (0 .. 2) {
                my $text = encode_base64(("\0" x $lead) . $secret, "");
                my ($skip, $keep) = (int(($lead * 8 + 5) / 6), int(($lead + length $secret) * 8 / 6));
                push @forms, substr($text, $skip, $keep - $skip);
            }
            push @{$forms{$secret}}, @forms;
        }
        die "scan-output: no secrets to look for\n" unless keys %forms > 3;
        my ($found, $files) = (0, 0);
        find({ no_chdir => 1, wanted => sub {
            return unless -f $_;
            open(my $file, "<:raw", $_) or return;
            my $bytes = do { local $/; <$file> } // "";
            $files++;
            for my $secret (sort keys %forms) {
                next unless grep { index($bytes, $_) >= 0 } @{$forms{$secret}};
                print "scan-output: a secret of the tests lies in $_\n";
                $found++;
            }
        } }, @ARGV);
        print "scan-output: ", scalar(keys %forms), " secrets, $files files\n";
        exit($found ? 1 : 0);
    ' "$@"
}

if [[ ${1:-} == --self-test ]]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    secret=$(secrets | sed -n 1p) # `head` would leave its writer with a broken pipe
    echo "nothing here" >"$folder/file"
    scan "$folder" >/dev/null || { echo "scan-output: found what is not there" >&2; exit 1; }
    plants=("printf %s $secret" "printf %s $secret | od -An -tx1 | tr -d ' \n'" "printf 'ab%s.' $secret | base64"
        "printf 'a%s' $secret | base64" "printf %s $secret | sed 's/./&\\x00/g'")
    for plant in "${plants[@]}"; do
        bash -c "$plant" >"$folder/file"
        if scan "$folder" >/dev/null; then
            echo "scan-output: missed: $plant" >&2
            exit 1
        fi
    done
    echo "scan-output: ${#plants[@]} planted secrets were found"
    exit
fi
scan "$@"
