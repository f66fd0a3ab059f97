"""The codes of folders into which verdicts on many logs go, and of what judges them elsewhere."""

from __future__ import annotations

from referee.diagnostics.code_text import Code

LEDGER: dict[str, Code] = {
    "LD01": Code(
        "the folder of verdicts cannot be used",
        "It cannot be made, read or locked, or is no folder. Name one that this user can write to.",
    ),
    "LD02": Code(
        "the folder holds something else",
        "Verdicts go into a folder that is new, empty, or of an earlier run of the same command; nothing else is ever "
        "touched.",
    ),
    "LD03": Code(
        "another process writes into the folder",
        "One run at a time. The lock goes with the process that holds it, however that ends.",
    ),
    "LD04": Code(
        "the manifest is damaged",
        "`manifest.json` says which parts are done, `inputs.jsonl` what was read. Without them nobody can say which "
        "logs have a verdict: judge into another folder.",
    ),
    "LD05": Code(
        "the manifest is of another version",
        "It was written by a program that keeps verdicts in another way. Go on with that one, or judge into another "
        "folder.",
    ),
    "LD06": Code(
        "the program has changed",
        "Verdicts in one folder are of one program: the version of referee, each of its files, and the version of "
        "Python. Go on with the one that began, or judge into another folder.",
    ),
    "LD07": Code(
        "the rules have changed",
        "Verdicts in one folder are by the same rules. The message names the files that are not what they were.",
    ),
    "LD08": Code(
        "the options have changed",
        "Verdicts in one folder are found in the same way. The message names what was said before, and what now.",
    ),
    "LD09": Code(
        "the logs have changed",
        "Verdicts in one folder are on the same files, in the same order, with the same content. The message names "
        "those that are new, gone or changed.",
    ),
    "LD10": Code(
        "a part is not what was written",
        "A part file was changed, cut or removed since. Put it back from where it went, or judge into another folder.",
    ),
    "LD11": Code(
        "the folder cannot be written any more",
        "The disk is full, say. The verdicts that the manifest counts stand: make room, and the same command goes on "
        "where it was.",
    ),
    "LD12": Code(
        "a log that can be read only once",
        "Who goes on later reads logs again: the standard input, pipes and devices cannot be. Write them to files.",
    ),
    "LD13": Code(
        "no such executor",
        "Logs are judged by `processes` of this machine, or elsewhere: `dask://HOST:PORT`, `ray`, `mpi`.",
    ),
    "LD14": Code(
        "a library is not installed",
        "What brings machines together, and tables as Parquet, are extras: the message names the one that is missing.",
    ),
    "LD15": Code(
        "the executor does not answer",
        "Nothing that takes tasks is there, it has no workers, its workers run another program than this one, or all "
        "of them were lost. With --out the verdicts that the manifest counts stand: the same command goes on.",
    ),
    "LD16": Code(
        "one log of a file that holds more",
        "A folder keeps verdicts on whole files, of which it knows the size and digest. Name the file, or leave out "
        "--out.",
    ),
    "LD17": Code(
        "no verdicts to add up",
        "`--summary-of` adds up what runs with --out have counted, each folder once: it has a manifest.json.",
    ),
}
