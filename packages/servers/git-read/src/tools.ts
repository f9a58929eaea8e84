import type { Tool } from '@capstan/tool-server';
import { blameFileTool } from './blame-file.ts';
import { listBranchesTool } from './list-branches.ts';
import { listCommitsTool } from './list-commits.ts';
import type { OpenReader } from './repository-reader.ts';
import { showCommitTool } from './show-commit.ts';
import { showDiffTool } from './show-diff.ts';
import { showStatusTool } from './show-status.ts';

/** The tools of this server. */
export function gitReadTools(open: OpenReader): Tool[] {
  return [
    showStatusTool(open),
    showDiffTool(open),
    listCommitsTool(open),
    showCommitTool(open),
    blameFileTool(open),
    listBranchesTool(open),
  ];
}
