@rem `exec` in npm scripts: elsewhere it puts the launcher in the place of the shell, so that npm waits for it.
@%*
